package e2e

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestKnownPortsNeedNoJob: a load balancer's and a Gateway's ports are announced
// by pods that nobody but their files told.
func TestKnownPortsNeedNoJob(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]struct {
		access string
		port   func(operator.Node) int
	}{
		"LoadBalancer": {"serviceType: LoadBalancer", func(n operator.Node) int { return 6379 + n.Index }},
		"gateway": {"gateway: {gatewayRef: {name: public}, basePort: 30000}", func(n operator.Node) int {
			return 30000 + 2*n.Shard + n.Index
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t)
			manifests := product.Render(t, input(b, 2, hostnames+mode.access, ""), "--readback", "none")
			// Without the Gateway API the other manifests work all the same.
			b.Apply(without(t, manifests, "TCPRoute"))
			inForce(b)
			if name == "LoadBalancer" {
				giveAddress(b, 2)
			}
			c := operator.For(b, clusterName)
			c.Up()
			announces(b, c, mode.port)
			c.DeletePod(operator.Node{Shard: 1, Index: 1})
			c.WaitHealthy()
			announces(b, c, mode.port)
			if jobs, err := b.Kube().BatchV1().Jobs(b.Namespace).List(t.Context(), metav1.ListOptions{}); err != nil || len(jobs.Items) > 0 {
				t.Errorf("%d jobs: %v", len(jobs.Items), err)
			}
		})
	}
}

// giveAddress is the load balancer's part.
func giveAddress(b *bed.Bed, shards int) {
	b.T.Helper()
	for shard := range shards {
		s := service(b, shard)
		s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: bed.NodeIP}}
		if _, err := b.Kube().CoreV1().Services(b.Namespace).UpdateStatus(b.T.Context(), s, metav1.UpdateOptions{}); err != nil {
			b.T.Fatal(err)
		}
	}
}

// announces reads from every node what it tells clients of every other.
func announces(b *bed.Bed, c *operator.Cluster, port func(operator.Node) int) {
	b.T.Helper()
	announcesAt(b, c, func(n operator.Node) (string, int) { return hostname(n.Shard), port(n) })
}

// announcesAt is announces with other hosts.
func announcesAt(b *bed.Bed, c *operator.Cluster, at func(operator.Node) (host string, port int)) {
	b.T.Helper()
	b.Eventually("every node to announce its hostname and port", func() error {
		for _, asked := range c.Nodes() {
			slots := c.Valkey(asked, "CLUSTER", "SLOTS")
			for _, n := range c.Nodes() {
				host, port := at(n)
				if want := fmt.Sprintf("%s\n%d\n", host, port); !strings.Contains(slots, want) {
					return fmt.Errorf("%v does not say %q of %v:\n%s", asked, want, n, slots)
				}
			}
		}
		return nil
	})
}

// without drops the documents of a kind from a stream.
func without(t testing.TB, manifests, kind string) string {
	t.Helper()
	var kept []string
	for document := range strings.SplitSeq(manifests, "\n---\n") {
		if !strings.Contains("\n"+document+"\n", "\nkind: "+kind+"\n") {
			kept = append(kept, document)
		}
	}
	return strings.Join(kept, "\n---\n")
}
