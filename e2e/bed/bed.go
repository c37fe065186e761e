package bed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
)

// A Bed is one test's view of the cluster: a namespace of its own in the shared
// control plane. Tests may run in parallel.
type Bed struct {
	*plane
	T         testing.TB
	Namespace string

	// Patience is how long WaitFor and Eventually wait.
	Patience time.Duration

	// NoNames says that the client host resolves no name for this test: it has an empty
	// hosts file and no DNS server.
	NoNames bool

	// ValkeyFlags are given to valkey-cli, for a cluster with TLS.
	ValkeyFlags []string
}

// Start returns the test's bed. The first call brings the cluster up, in about
// ten seconds. When the test ends, its namespace and the cluster-scoped objects
// it applied are deleted; when it fails, the logs are printed first.
func Start(t testing.TB) *Bed {
	t.Helper()
	p, err := startPlane()
	if err != nil {
		t.Fatalf("bringing up the bed: %v", err)
	}
	b := &Bed{plane: p, T: t, Patience: patience, Namespace: fmt.Sprintf("test-%d", p.number())}
	b.CreateNamespace(b.Namespace, nil)
	t.Cleanup(func() {
		if t.Failed() {
			b.logFailure()
		}
	})
	return b
}

// CreateNamespace makes a namespace that lives as long as the test.
func (b *Bed) CreateNamespace(name string, labels map[string]string) {
	b.T.Helper()
	spaces := b.kube.CoreV1().Namespaces()
	_, err := spaces.Create(b.T.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, metav1.CreateOptions{})
	if err != nil {
		b.T.Fatalf("making the namespace: %v", err)
	}
	b.T.Cleanup(func() {
		// The test's own context has ended by now.
		if err := spaces.Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			b.T.Errorf("deleting the namespace: %v", err)
		}
	})
	// Pods are refused until the controllers have made the ServiceAccount and
	// the API server's certificate.
	WaitFor(b, corev1.SchemeGroupVersion.WithResource("serviceaccounts"), name, "default", "to exist",
		func(*corev1.ServiceAccount) bool { return true })
	WaitFor(b, corev1.SchemeGroupVersion.WithResource("configmaps"), name, "kube-root-ca.crt", "to exist",
		func(*corev1.ConfigMap) bool { return true })
}

// Kubeconfig is the path of an administrator's kubeconfig.
func (b *Bed) Kubeconfig() string { return kubeconfigPath }

// Kube is a client with an administrator's rights.
func (b *Bed) Kube() kubernetes.Interface { return b.kube }

// Dynamic is a client for kinds without Go types.
func (b *Bed) Dynamic() dynamic.Interface { return b.dynamic }

// Runner runs the pods.
func (b *Bed) Runner() *podrunner.Runner { return b.runner }

// VolumeRefresh sets how long pods of the test that start from now on keep the
// old content of a changed ConfigMap: 60 seconds unless set.
func (b *Bed) VolumeRefresh(period time.Duration) { b.runner.SetVolumeRefresh(b.Namespace, period) }

// GatewayCRDs is the folder of Gateway API CRDs of a channel: standard or
// experimental.
func GatewayCRDs(channel string) string { return parts.GatewayAPI + "/" + channel }

// GitOpsCRDs are the CRDs of Argo CD and Flux.
func GitOpsCRDs(t testing.TB) (manifests []string) {
	t.Helper()
	for _, dir := range parts.GitOps {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "\nkind: CustomResourceDefinition\n") {
				manifests = append(manifests, string(text))
			}
		}
	}
	return manifests
}

// TraefikProgram is empty unless Main was asked for Traefik.
func TraefikProgram() string { return parts.Traefik }
