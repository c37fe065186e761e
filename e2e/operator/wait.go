package operator

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// Create starts the operator, which makes every workload at once, and waits for
// nothing.
func (c *Cluster) Create() {
	c.b.T.Helper()
	c.run()
}

// Up starts the operator and waits until the cluster has formed.
func (c *Cluster) Up() {
	c.b.T.Helper()
	c.run()
	c.WaitHealthy()
}

// Settle waits until the operator has done what the ValkeyCluster now asks for:
// scaled, and rolled every node.
func (c *Cluster) Settle() {
	c.b.T.Helper()
	c.read()
	c.b.Eventually("the cluster to be what the ValkeyCluster says", func() error {
		pods, err := c.pods(c.b.T.Context())
		if err != nil {
			return err
		}
		made := map[string]bool{}
		for _, p := range pods {
			made[p.Annotations[templateHash]] = true
		}
		for _, n := range c.Nodes() {
			template, err := c.template(n)
			if err != nil {
				return err
			}
			want, err := c.meta(n, &template)
			if err != nil {
				return err
			}
			if !made[want.Annotations[templateHash]] {
				return fmt.Errorf("%s has not rolled", c.instance(n))
			}
		}
		return c.healthy(c.b.T.Context())
	})
}

// WaitReady watches a node's pods until one other than old is Ready, and
// returns it. Old may be empty.
func (c *Cluster) WaitReady(n Node, old *corev1.Pod) *corev1.Pod {
	c.b.T.Helper()
	return bed.WaitForAny(c.b, bed.Pods, c.Namespace, c.labels(n), "to be Ready", func(p *corev1.Pod) bool {
		return bed.IsReady(p) && (old == nil || p.UID != old.UID)
	})
}

// DeletePod deletes a node's pod and waits for its successor, which has not yet
// joined.
func (c *Cluster) DeletePod(n Node) *corev1.Pod {
	c.b.T.Helper()
	old := c.Pod(n)
	if err := c.b.Kube().CoreV1().Pods(c.Namespace).Delete(c.b.T.Context(), old.Name, metav1.DeleteOptions{}); err != nil {
		c.b.T.Fatal(err)
	}
	return c.WaitReady(n, old)
}
