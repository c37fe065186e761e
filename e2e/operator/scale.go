package operator

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// ScaleOut adds the shards that the ValkeyCluster has gained. They join without
// slots, as the operator's do before it rebalances.
func (c *Cluster) ScaleOut() {
	c.b.T.Helper()
	before := c.Spec.Shards
	c.read()
	for _, n := range c.Nodes() {
		if n.Shard >= before {
			c.apply(n)
		}
	}
	for _, n := range c.Nodes() {
		if n.Shard >= before {
			c.WaitReady(n, nil)
			c.Valkey(Node{0, 0}, "CLUSTER", "MEET", c.Pod(n).Status.PodIP, "6379")
		}
	}
	c.WaitHealthy()
}

// ScaleIn removes the shards that the ValkeyCluster has lost. They must be
// without slots.
func (c *Cluster) ScaleIn() {
	c.b.T.Helper()
	all := c.Nodes()
	c.read()
	ctx, apps := c.b.T.Context(), c.b.Kube().AppsV1()
	for _, n := range all {
		if n.Shard < c.Spec.Shards {
			continue
		}
		pod := c.Pod(n).Name
		if err := apps.StatefulSets(c.Namespace).Delete(ctx, c.workload(n), metav1.DeleteOptions{}); err != nil {
			c.b.T.Fatal(fmt.Errorf("scaling in: %w", err))
		}
		c.b.WaitGone(bed.Pods, c.Namespace, pod)
	}
	c.forgetStrangers()
	c.WaitHealthy()
}
