//go:build pipelines

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

var (
	fluxKustomizations = schema.GroupVersionResource{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Resource: "kustomizations"}
	fluxRepositories   = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "gitrepositories"}
)

// Flux's own controller applies the example: the policy first, then the rest, and
// it is Ready when the Job has announced. Reconciled again, nothing changes.
func TestFluxAppliesTheExample(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, crd := range bed.GitOpsCRDs(t) {
		b.ApplyForAll(crd)
	}
	dir := t.TempDir()
	rendered(b, input(b, 3, hostnames, ""), "-o", filepath.Join(dir, "deploy"))
	policy, err := os.ReadFile(filepath.Join(dir, "deploy", "policy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.DeleteAtEnd(string(policy))
	b.StartFlux()
	publish(b, dir)
	for _, file := range []string{"policy", "cluster"} {
		b.Apply(fluxExample(b, file))
	}
	bed.WaitFor(b, operator.ValkeyClusters, b.Namespace, clusterName, "to be applied", func(*unstructured.Unstructured) bool { return true })
	if !hasOverlay(dryRun(b, podOf(clusterName, 0, 0))) {
		t.Log("the ValkeyCluster is there a moment before the policy is in force")
	}
	inForce(b)
	c := operator.For(b, clusterName)
	c.Up()
	fluxReady(b, "orders-policy", "")
	fluxReady(b, "orders", "")
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)

	before, services := endpointsMap(b), serviceVersions(b)
	again := time.Now().Format(time.RFC3339Nano)
	for _, name := range []string{"orders-policy", "orders"} {
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":%q}}}`, again)
		if _, err := b.Dynamic().Resource(fluxKustomizations).Namespace(b.Namespace).Patch(t.Context(), name,
			types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		fluxReady(b, name, again)
	}
	if after := endpointsMap(b); after.ResourceVersion != before.ResourceVersion {
		t.Errorf("reconciled again, the record went from %s to %s", before.ResourceVersion, after.ResourceVersion)
	}
	if after := serviceVersions(b); fmt.Sprint(after) != fmt.Sprint(services) {
		t.Errorf("reconciled again, the Services went from %v to %v", services, after)
	}
	if jobs, err := b.Kube().BatchV1().Jobs(b.Namespace).List(t.Context(), metav1.ListOptions{}); err != nil || len(jobs.Items) != 1 {
		t.Errorf("%d jobs: %v", len(jobs.Items), err)
	}
	// What Flux applied goes with it, while its controller still runs.
	for _, name := range []string{"orders", "orders-policy"} {
		if err := b.Dynamic().Resource(fluxKustomizations).Namespace(b.Namespace).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		b.WaitGone(fluxKustomizations, b.Namespace, name)
	}
}

// fluxExample is a file of the example in the test's namespace.
func fluxExample(b *bed.Bed, file string) string {
	b.T.Helper()
	text, err := os.ReadFile(example(b.T, "flux", file+".yaml"))
	if err != nil {
		b.T.Fatal(err)
	}
	return strings.Replace(string(text), "namespace: flux-system", "namespace: "+b.Namespace, 1)
}

// publish plays the source-controller: it serves a folder as the artifact of the
// example's repository.
func publish(b *bed.Bed, dir string) {
	b.T.Helper()
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	w := tar.NewWriter(zipped)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		b.T.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.T.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		b.T.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive.Bytes()) }))
	b.T.Cleanup(server.Close)
	b.Apply(fluxExample(b, "source"))
	now := time.Now().UTC().Format(time.RFC3339)
	status := fmt.Sprintf(`{"status":{"observedGeneration":1,"artifact":{"path":"a.tar.gz","url":"%s/a.tar.gz","revision":"main@sha1:%040d","digest":"sha256:%x","lastUpdateTime":%q,"size":%d},
		"conditions":[{"type":"Ready","status":"True","reason":"Succeeded","message":"stored","lastTransitionTime":%q,"observedGeneration":1}]}}`,
		server.URL, 1, sha256.Sum256(archive.Bytes()), now, archive.Len(), now)
	if _, err := b.Dynamic().Resource(fluxRepositories).Namespace(b.Namespace).Patch(b.T.Context(), "shop",
		types.MergePatchType, []byte(status), metav1.PatchOptions{}, "status"); err != nil {
		b.T.Fatal(err)
	}
}

// fluxReady waits until a Kustomization is Ready, after what was asked for if
// anything was.
func fluxReady(b *bed.Bed, name, requested string) {
	b.T.Helper()
	bed.WaitFor(b, fluxKustomizations, b.Namespace, name, "to be Ready", func(o *unstructured.Unstructured) bool {
		handled, _, _ := unstructured.NestedString(o.Object, "status", "lastHandledReconcileAt")
		conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok && c["type"] == "Ready" {
				return c["status"] == "True" && handled == requested
			}
		}
		return false
	})
}
