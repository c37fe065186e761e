package operator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// ensureObjects makes what all nodes share.
func (c *Cluster) ensureObjects(ctx context.Context) error {
	core := c.b.Kube().CoreV1()
	_, err := core.Secrets(c.Namespace).Create(ctx, c.passwords(), metav1.CreateOptions{})
	if err = unlessThere(err); err == nil {
		_, err = core.ConfigMaps(c.Namespace).Create(ctx, c.config(), metav1.CreateOptions{})
	}
	if err = unlessThere(err); err == nil {
		_, err = core.Services(c.Namespace).Create(ctx, c.headless(), metav1.CreateOptions{})
	}
	if err = unlessThere(err); err == nil {
		_, err = c.b.Kube().PolicyV1().PodDisruptionBudgets(c.Namespace).Create(ctx, c.budget(), metav1.CreateOptions{})
	}
	return unlessThere(err)
}

func unlessThere(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// ensureWorkloads makes the workloads that are missing, all at once. Those that
// are there are changed by roll.
func (c *Cluster) ensureWorkloads(ctx context.Context) error {
	for _, n := range c.Nodes() {
		_, err := c.existing(ctx, n)
		if err == nil {
			continue
		}
		if apierrors.IsNotFound(err) {
			err = c.put(ctx, n, true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// put creates or updates a node's workload.
func (c *Cluster) put(ctx context.Context, n Node, isNew bool) error {
	template, err := c.template(n)
	if err != nil {
		return err
	}
	meta, err := c.meta(n, &template)
	if err != nil {
		return err
	}
	apps := c.b.Kube().AppsV1()
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
	return err
}

func (c *Cluster) existing(ctx context.Context, n Node) (metav1.ObjectMeta, error) {
	apps := c.b.Kube().AppsV1()
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

// roll changes one workload, replicas first, and a primary only after it has handed
// over. The next one's turn comes when the new pod has joined: until then join
// fails.
func (c *Cluster) roll(ctx context.Context, members []*member) error {
	nodes := c.Nodes()
	slices.SortStableFunc(nodes, func(a, b Node) int {
		if a.Shard != b.Shard {
			return a.Shard - b.Shard
		}
		return isPrimary(members, a) - isPrimary(members, b)
	})
	for _, n := range nodes {
		have, err := c.existing(ctx, n)
		if err != nil {
			return err
		}
		template, err := c.template(n)
		if err != nil {
			return err
		}
		want, err := c.meta(n, &template)
		if err != nil {
			return err
		}
		if m := find(members, n); m.pod.Annotations[templateHash] != have.Annotations[templateHash] {
			return fmt.Errorf("%s: its pod is to be replaced", c.instance(n))
		}
		if have.Annotations[templateHash] == want.Annotations[templateHash] {
			continue
		}
		if isPrimary(members, n) == 1 && c.Spec.Replicas > 0 {
			for _, m := range members {
				if m.Shard == n.Shard && m.Node != n {
					_, err := m.ask(ctx, "CLUSTER", "FAILOVER")
					return fmt.Errorf("%s hands over: %w", c.instance(n), err)
				}
			}
		}
		if err := c.put(ctx, n, false); err != nil {
			return err
		}
		return fmt.Errorf("%s rolls", c.instance(n))
	}
	return nil
}

func isPrimary(members []*member, n Node) int {
	if m := find(members, n); m != nil && len(m.me.slots) > 0 {
		return 1
	}
	return 0
}

// scaleIn removes the nodes that the ValkeyCluster has lost, once they serve
// nothing.
func (c *Cluster) scaleIn(ctx context.Context, members []*member) error {
	wanted := c.Nodes()
	for _, m := range members {
		if slices.Contains(wanted, m.Node) {
			continue
		}
		if len(m.me.slots) > 0 {
			return c.drain(ctx, m, find(members, Node{0, 0}))
		}
	}
	selector := labels.SelectorFromSet(labels.Set{"valkey.io/cluster": c.Name}).String()
	apps := c.b.Kube().AppsV1()
	sets, err := apps.StatefulSets(c.Namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return err
	}
	for _, s := range sets.Items {
		if !slices.ContainsFunc(wanted, func(n Node) bool { return c.workload(n) == s.Name }) {
			if err := apps.StatefulSets(c.Namespace).Delete(ctx, s.Name, metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// drain moves all that a node serves to the primary of another's shard.
func (c *Cluster) drain(ctx context.Context, from, to *member) error {
	if migrations, err := from.ask(ctx, "CLUSTER", "GETSLOTMIGRATIONS"); err != nil || strings.Contains(migrations, "in_progress") {
		return err
	}
	if target := to.view.primaryOf(to.me); target != "" {
		for _, slots := range from.me.slots {
			first, last, isRange := strings.Cut(slots, "-")
			if !isRange {
				last = first
			}
			if _, err := from.ask(ctx, "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", first, last, "NODE", target); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%s is emptied", c.instance(from.Node))
}
