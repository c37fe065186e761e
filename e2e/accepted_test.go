package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestGoldenCasesAreAccepted applies the output of every golden case, with
// strict field validation, and applies it again: nothing changes. The CRD has no
// field of external access, but for the case that keeps the block: there it is
// patched. TCPRoutes meet the standard channel's CRDs, those of
// v1alpha2 the experimental channel's, which alone serve it.
func TestGoldenCasesAreAccepted(t *testing.T) {
	b := start(t)
	forEachGoldenCase(t, b, func(t *testing.T, output string) {
		appliedTwice(b, t, output)
	})
}

// forEachGoldenCase runs a test with what each golden case renders, under the CRDs
// it is for, and deletes that afterwards.
func forEachGoldenCase(t *testing.T, b *bed.Bed, test func(t *testing.T, output string)) {
	t.Helper()
	const namespace = "shop"                                                        // that of the cases
	b.WaitGone(corev1.SchemeGroupVersion.WithResource("namespaces"), "", namespace) // of another test
	b.CreateNamespace(namespace, nil)
	outputs, err := filepath.Glob(filepath.Join(product.Root(t), "golden", "*", "output.yaml"))
	if err != nil || len(outputs) < 14 {
		t.Fatalf("%d golden cases: %v", len(outputs), err)
	}
	var stable, alpha, kept []string
	for _, output := range outputs {
		text, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.Contains(string(text), "\n  externalAccess:"):
			kept = append(kept, output)
		case strings.Contains(string(text), "gateway.networking.k8s.io/v1alpha2"):
			alpha = append(alpha, output)
		default:
			stable = append(stable, output)
		}
	}
	for _, round := range []struct {
		channel string
		patched bool
		outputs []string
	}{{"standard", false, stable}, {"experimental", false, alpha}, {"standard", true, kept}} {
		if len(round.outputs) == 0 {
			t.Errorf("no case for the %s channel, patched %v", round.channel, round.patched)
		}
		installGatewayAPI(b, round.channel)
		operator.InstallCRD(b, round.patched)
		for _, output := range round.outputs {
			name := filepath.Base(filepath.Dir(output))
			t.Run(name, func(t *testing.T) {
				text, err := os.ReadFile(output)
				if err != nil {
					t.Fatal(err)
				}
				test(t, string(text))
				b.Delete(without(t, string(text), "Namespace"))
			})
		}
	}
}

// appliedTwice applies manifests twice: the second time, the API server must
// answer with the resourceVersion it had. The Job's controller writes its status
// meanwhile, so a version that moved is asked for again.
func appliedTwice(b *bed.Bed, t *testing.T, manifests string) {
	t.Helper()
	applied, err := b.TryApply(manifests)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range applied {
		text, err := original(manifests, first)
		if err != nil {
			t.Fatal(err)
		}
		b.Eventually("applying again to change nothing", func() error {
			before := b.Apply(text)[0]
			after := b.Apply(text)[0]
			if before.GetResourceVersion() != after.GetResourceVersion() {
				return fmt.Errorf("%s %s went from %s to %s", first.GetKind(), first.GetName(), before.GetResourceVersion(), after.GetResourceVersion())
			}
			return nil
		})
		if first.GetKind() == "Service" {
			again := b.Apply(text)[0]
			if first.GetResourceVersion() != again.GetResourceVersion() {
				t.Errorf("Service %s changed when it was applied again", first.GetName())
			}
		}
	}
}

// original is the one document that an applied object came from.
func original(manifests string, applied *unstructured.Unstructured) (string, error) {
	for document := range strings.SplitSeq(manifests, "\n---\n") {
		objects, err := bed.Decode(document)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(objects, func(o *unstructured.Unstructured) bool {
			return o.GetKind() == applied.GetKind() && o.GetName() == applied.GetName()
		}) {
			return document, nil
		}
	}
	return "", fmt.Errorf("no document for %s %s", applied.GetKind(), applied.GetName())
}

// installGatewayAPI applies a channel's CRDs. The policy that comes with them
// keeps the channels from being mixed, which is what this test is after.
func installGatewayAPI(b *bed.Bed, channel string) {
	b.T.Helper()
	crds, err := filepath.Glob(filepath.Join(bed.GatewayCRDs(channel), "gateway.networking*.yaml"))
	if err != nil || len(crds) < 3 {
		b.T.Fatalf("%d CRDs of the %s channel: %v", len(crds), channel, err)
	}
	for _, crd := range crds {
		text, err := os.ReadFile(crd)
		if err != nil {
			b.T.Fatal(err)
		}
		if !strings.Contains(string(text), "kind: ValidatingAdmissionPolicy") {
			b.ApplyForAll(string(text))
		}
	}
	version := map[string]string{"standard": "v1", "experimental": "v1alpha2"}[channel]
	b.Eventually("TCPRoute "+version+" to be served", func() error {
		return b.DryRun(map[string]any{
			"apiVersion": "gateway.networking.k8s.io/" + version, "kind": "TCPRoute",
			"metadata": map[string]any{"name": "probe", "namespace": corev1.NamespaceDefault},
			"spec":     map[string]any{"rules": []any{map[string]any{"backendRefs": []any{map[string]any{"name": "s", "port": 1}}}}},
		})
	})
}

// TestJobIsAdmittedUnderRestricted: the namespace enforces the restricted Pod
// Security Standard, and the Job's pod exists all the same.
func TestJobIsAdmittedUnderRestricted(t *testing.T) {
	t.Parallel()
	b := start(t)
	namespace := b.Namespace + "-restricted"
	b.CreateNamespace(namespace, map[string]string{"pod-security.kubernetes.io/enforce": "restricted"})
	_, err := b.Kube().CoreV1().Pods(namespace).Create(t.Context(), podOf("other", 0, 0), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err == nil {
		t.Fatal("the namespace does not enforce the standard")
	}
	cluster := strings.Replace(input(b, 1, hostnames, "tls: {certificate: {secretName: certificate}}"), "namespace: "+b.Namespace, "namespace: "+namespace, 1)
	b.Apply(product.Render(t, cluster, "--readback", "cronjob", "--readback-pull-secret", "registry"))
	bed.WaitForAny(b, bed.Pods, namespace, map[string]string{"app.kubernetes.io/component": "external-access"}, "to exist",
		func(*corev1.Pod) bool { return true })
}
