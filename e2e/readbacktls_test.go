package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A cluster with TLS, in each of the operator's three shapes: the TLS port is
// announced, by a Job that verifies the nodes' certificate, and a client outside
// verifies it against the shard's hostname.
func TestReadbackWithTLS(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"main": "networking: {tls: {certificates: {server: {secretName: certificate}}}}",
		"0.5":  "networking: {tls: {certificate: {secretName: certificate}}}",
		"0.4":  "tls: {certificate: {secretName: certificate}}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t)
			ca := newAuthority(t)
			headless := fmt.Sprintf("valkey-%s.%s.svc.cluster.local", clusterName, b.Namespace)
			cert, key := ca.issue(t, []string{headless, hostname(0), hostname(1)})
			secret := &corev1.Secret{
				ObjectMeta: metav1.ObjectMeta{Name: "certificate"},
				StringData: map[string]string{"ca.crt": ca.pem(), "tls.crt": cert, "tls.key": key},
			}
			if _, err := b.Kube().CoreV1().Secrets(b.Namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			manifests := rendered(b, input(b, 2, hostnames, more))
			c := readsBack(b, manifests)
			jobEnds(b, manifests)
			announcesNodePorts(b, c)
			for _, n := range c.Nodes() {
				port := fmt.Sprint(service(b, n.Shard).Spec.Ports[n.Index].NodePort)
				s := settingsOf(c, n)
				if s["cluster-announce-client-tls-port"] != port || s["cluster-announce-client-port"] != "0" {
					t.Errorf("%v has %v, not TLS port %s", n, s, port)
				}
				if got := endpointsMap(b).Data[fmt.Sprintf("%d-%d.allocated.conf", n.Shard, n.Index)]; !strings.HasPrefix(got, "cluster-announce-client-tls-port "+port+"\n") {
					t.Errorf("the file of %v holds %q", n, got)
				}
			}
			resolve(b, 2)
			seed := strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0]
			writeAndReadTLS(b, seed, ca.pool())
			if name != "main" {
				return
			}

			caFile, otherCA := filepath.Join(t.TempDir(), "ca.crt"), filepath.Join(t.TempDir(), "other.crt")
			writeFile(t, caFile, ca.pem())
			writeFile(t, otherCA, newAuthority(t).pem())
			runReadback(b, manifests).must(b, 1, "the cluster has TLS: give --ca-file")
			runReadback(b, manifests, "--ca-file", otherCA).must(b, 1, "certificate signed by unknown authority")
			runReadback(b, manifests, "--ca-file", caFile, "--tls-server-name", "other.example.com").must(b, 1, "certificate is valid for "+headless)
			runReadback(b, manifests, "--ca-file", caFile).must(b, 0, "msg=done")
			runReadback(b, manifests, "--tls-server-name", "other.example.com", "--insecure-skip-tls-verify").must(b, 0, "msg=done")
		})
	}
}
