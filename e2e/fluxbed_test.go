//go:build pipelines || operator

package e2e

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

var (
	fluxKustomizations = schema.GroupVersionResource{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Resource: "kustomizations"}
	fluxRepositories   = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "gitrepositories"}
)

// fluxExample is a file of the example in the test's namespace.
func fluxExample(b *bed.Bed, file string) string {
	b.T.Helper()
	text, err := os.ReadFile(example(b.T, "flux", file+".yaml"))
	if err != nil {
		b.T.Fatal(err)
	}
	return strings.Replace(string(text), "namespace: flux-system", "namespace: "+b.Namespace, 1)
}

// publish plays the source-controller: it serves the last commit as the artifact
// of the example's repository, and returns its revision.
func publish(d deployment) (revision string) {
	b := d.b
	b.T.Helper()
	archive := d.git("archive", "--format=tar.gz", "HEAD")
	revision = "main@sha1:" + strings.TrimSpace(d.git("rev-parse", "HEAD"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(archive)) }))
	b.T.Cleanup(server.Close)
	b.Apply(fluxExample(b, "source"))
	now := time.Now().UTC().Format(time.RFC3339)
	status := fmt.Sprintf(`{"status":{"observedGeneration":1,"artifact":{"path":"a.tar.gz","url":"%s/a.tar.gz","revision":%q,"digest":"sha256:%x","lastUpdateTime":%q,"size":%d},
		"conditions":[{"type":"Ready","status":"True","reason":"Succeeded","message":"stored","lastTransitionTime":%q,"observedGeneration":1}]}}`,
		server.URL, revision, sha256.Sum256([]byte(archive)), now, len(archive), now)
	if _, err := b.Dynamic().Resource(fluxRepositories).Namespace(b.Namespace).Patch(b.T.Context(), "shop",
		types.MergePatchType, []byte(status), metav1.PatchOptions{}, "status"); err != nil {
		b.T.Fatal(err)
	}
	return revision
}

// fluxReady waits until a Kustomization is Ready with a revision.
func fluxReady(b *bed.Bed, name, revision string) {
	b.T.Helper()
	fluxBecomes(b, name, "to be Ready", func(o *unstructured.Unstructured) bool {
		applied, _, _ := unstructured.NestedString(o.Object, "status", "lastAppliedRevision")
		return applied == revision
	})
}

// fluxReconciles has Kustomizations reconciled, as they are at each interval, and
// waits until they are Ready again.
func fluxReconciles(b *bed.Bed, names ...string) {
	b.T.Helper()
	for _, name := range names {
		again := time.Now().Format(time.RFC3339Nano)
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":%q}}}`, again)
		if _, err := b.Dynamic().Resource(fluxKustomizations).Namespace(b.Namespace).Patch(b.T.Context(), name,
			types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			b.T.Fatal(err)
		}
		fluxBecomes(b, name, "to be Ready again", func(o *unstructured.Unstructured) bool {
			handled, _, _ := unstructured.NestedString(o.Object, "status", "lastHandledReconcileAt")
			return handled == again
		})
	}
}

// fluxBecomes waits until a Kustomization is Ready and something holds.
func fluxBecomes(b *bed.Bed, name, what string, holds func(*unstructured.Unstructured) bool) {
	b.T.Helper()
	bed.WaitFor(b, fluxKustomizations, b.Namespace, name, what, func(o *unstructured.Unstructured) bool {
		conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok && c["type"] == "Ready" {
				return c["status"] == "True" && holds(o)
			}
		}
		return false
	})
}
