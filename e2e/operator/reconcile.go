package operator

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// Create makes the Secret, the Services and every workload at once, as the
// operator does for a new ValkeyCluster, and waits for nothing.
func (c *Cluster) Create() {
	c.b.T.Helper()
	ctx, core := c.b.T.Context(), c.b.Kube().CoreV1()
	if _, err := core.Secrets(c.Namespace).Create(ctx, c.passwords(), metav1.CreateOptions{}); err != nil {
		c.b.T.Fatal(err)
	}
	if _, err := core.ConfigMaps(c.Namespace).Create(ctx, c.config(), metav1.CreateOptions{}); err != nil {
		c.b.T.Fatal(err)
	}
	if _, err := core.Services(c.Namespace).Create(ctx, c.headless(), metav1.CreateOptions{}); err != nil {
		c.b.T.Fatal(err)
	}
	for _, n := range c.Nodes() {
		c.apply(n)
	}
}

// apply creates or updates a node's workload. It tells whether the pod will be
// replaced.
func (c *Cluster) apply(n Node) (changed bool) {
	c.b.T.Helper()
	template, err := c.template(n)
	if err != nil {
		c.b.T.Fatal(err)
	}
	meta, err := c.meta(n, template)
	if err != nil {
		c.b.T.Fatal(err)
	}
	ctx, apps := c.b.T.Context(), c.b.Kube().AppsV1()
	have, err := c.existing(n)
	switch {
	case err == nil && have.Annotations[templateHash] == meta.Annotations[templateHash]:
		return false
	case err != nil && !apierrors.IsNotFound(err):
		c.b.T.Fatal(err)
	}
	isNew := err != nil
	switch {
	case c.Spec.WorkloadType == Deployment && isNew:
		_, err = apps.Deployments(c.Namespace).Create(ctx, c.deployment(n, meta, template), metav1.CreateOptions{})
	case c.Spec.WorkloadType == Deployment:
		_, err = apps.Deployments(c.Namespace).Update(ctx, c.deployment(n, meta, template), metav1.UpdateOptions{})
	case isNew:
		_, err = apps.StatefulSets(c.Namespace).Create(ctx, c.statefulSet(n, meta, template), metav1.CreateOptions{})
	default:
		_, err = apps.StatefulSets(c.Namespace).Update(ctx, c.statefulSet(n, meta, template), metav1.UpdateOptions{})
	}
	if err != nil {
		c.b.T.Fatal(err)
	}
	return true
}

func (c *Cluster) existing(n Node) (metav1.ObjectMeta, error) {
	ctx, apps := c.b.T.Context(), c.b.Kube().AppsV1()
	if c.Spec.WorkloadType == Deployment {
		d, err := apps.Deployments(c.Namespace).Get(ctx, c.workload(n), metav1.GetOptions{})
		if err != nil {
			return metav1.ObjectMeta{}, err
		}
		return d.ObjectMeta, nil
	}
	s, err := apps.StatefulSets(c.Namespace).Get(ctx, c.workload(n), metav1.GetOptions{})
	if err != nil {
		return metav1.ObjectMeta{}, err
	}
	return s.ObjectMeta, nil
}

// WaitReady watches a node's pods until one other than old is Ready, and
// returns it. Old may be empty.
func (c *Cluster) WaitReady(n Node, old *corev1.Pod) *corev1.Pod {
	c.b.T.Helper()
	return bed.WaitForAny(c.b, bed.Pods, c.Namespace, c.labels(n), "to be Ready", func(p *corev1.Pod) bool {
		return bed.IsReady(p) && (old == nil || p.UID != old.UID)
	})
}

// Up creates the cluster and forms it.
func (c *Cluster) Up() {
	c.b.T.Helper()
	c.Create()
	c.Form()
}

// Reconcile reads the ValkeyCluster again and rolls what has changed: one node at
// a time, replicas first, and a primary only after it has handed over.
func (c *Cluster) Reconcile() {
	c.b.T.Helper()
	c.read()
	for shard := range c.Spec.Shards {
		var primary []Node
		for index := range c.Spec.Replicas + 1 {
			n := Node{shard, index}
			if c.isPrimary(n) {
				primary = append(primary, n)
				continue
			}
			c.replace(n)
		}
		for _, n := range primary {
			c.rollPrimary(n)
		}
	}
}

// rollPrimary hands over first, if there is anyone to hand over to.
func (c *Cluster) rollPrimary(n Node) {
	c.b.T.Helper()
	if !c.outdated(n) {
		return
	}
	if c.Spec.Replicas > 0 {
		c.Failover(n.Shard)
	}
	c.replace(n)
}

func (c *Cluster) outdated(n Node) bool {
	c.b.T.Helper()
	template, err := c.template(n)
	if err != nil {
		c.b.T.Fatal(err)
	}
	want, err := c.meta(n, template)
	if err != nil {
		c.b.T.Fatal(err)
	}
	have, err := c.existing(n)
	if err != nil {
		c.b.T.Fatal(err)
	}
	return have.Annotations[templateHash] != want.Annotations[templateHash]
}

// replace updates a node's workload and brings its new pod into the cluster.
func (c *Cluster) replace(n Node) {
	c.b.T.Helper()
	old := c.Pod(n)
	if c.apply(n) {
		c.WaitReady(n, old)
		c.Rejoin(n)
	}
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
