package operator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const slots = 16384

// join makes one cluster of the nodes: those that are new are met, given slots or
// made replicas; those whose pods are gone are forgotten. Without an error every
// node of the ValkeyCluster runs, has its part and is in sync.
func (c *Cluster) join(ctx context.Context, members []*member) error {
	if len(members) == 0 {
		return errNotAll
	}
	if err := c.forget(ctx, members); err != nil {
		return err
	}
	if err := meet(ctx, members); err != nil {
		return err
	}
	for _, n := range c.Nodes() {
		if find(members, n) == nil {
			return errNotAll
		}
	}
	if !slices.ContainsFunc(members, func(m *member) bool { return len(m.me.slots) > 0 }) {
		for shard := range c.Spec.Shards {
			from, to := slots*shard/c.Spec.Shards, slots*(shard+1)/c.Spec.Shards-1
			if _, err := find(members, Node{shard, 0}).ask(ctx, "CLUSTER", "ADDSLOTSRANGE", fmt.Sprint(from), fmt.Sprint(to)); err != nil {
				return err
			}
		}
		return errors.New("the slots are given out")
	}
	for _, m := range members {
		if err := c.follow(ctx, members, m); err != nil {
			return err
		}
	}
	for _, m := range members {
		if !m.synced || !m.ok || len(m.view) != len(members) {
			return fmt.Errorf("%s: in sync %v, sees a whole cluster %v, knows %d nodes", c.instance(m.Node), m.synced, m.ok, len(m.view))
		}
	}
	return nil
}

// meet introduces those whom the node with most acquaintances does not know.
func meet(ctx context.Context, members []*member) error {
	best := slices.MaxFunc(members, func(a, b *member) int { return known(a) - known(b) })
	unknown := 0
	for _, m := range members {
		if !best.view.knows(m.me.id) {
			unknown++
			// Whoever is met again meanwhile begins anew, and never comes to an end.
			if slices.ContainsFunc(best.view, func(n seenNode) bool { return n.ip() == m.pod.Status.PodIP }) {
				continue
			}
			if _, err := best.ask(ctx, "CLUSTER", "MEET", m.pod.Status.PodIP, "6379"); err != nil {
				return err
			}
		}
	}
	if unknown > 0 {
		return fmt.Errorf("%d nodes are being met", unknown)
	}
	return nil
}

func known(m *member) int { return 2*len(m.view) + min(1, len(m.me.slots)) }

// forget removes nodes whose pods are gone, on all nodes at once: one that still
// remembers would tell the others again. One that owns slots in anybody's eyes is left
// until its replica has taken them: nodes hand FORGET on, also one that is new and has
// not heard who owns what.
func (c *Cluster) forget(ctx context.Context, members []*member) error {
	pods, err := c.pods(ctx)
	if err != nil {
		return err
	}
	// By name and by address: one that shakes hands may have none.
	alive := map[string]bool{}
	for _, p := range pods {
		alive[p.Status.PodIP] = true
	}
	owns := map[string]bool{}
	for _, m := range members {
		alive[m.me.id] = true
		for _, n := range m.view {
			owns[n.id] = owns[n.id] || len(n.slots) > 0
		}
	}
	for _, m := range members {
		for _, n := range m.view {
			if !alive[n.ip()] && !alive[n.id] && !owns[n.id] {
				// A node may have forgotten it in between, or still follow it.
				_, _ = m.ask(ctx, "CLUSTER", "FORGET", n.id)
			}
		}
	}
	return nil
}

// follow makes a node that is new a replica of its shard's primary: of the node
// that serves, or of node 0 of a shard that serves nothing yet.
func (c *Cluster) follow(ctx context.Context, members []*member, m *member) error {
	if m.me.primary != "-" || len(m.me.slots) > 0 {
		return nil
	}
	primary := find(members, Node{m.Shard, 0})
	for _, other := range members {
		if other.Shard == m.Shard && len(other.me.slots) > 0 {
			primary = other
		}
	}
	if primary == nil || primary == m || primary.me.primary != "-" {
		return nil
	}
	if !m.view.knows(primary.me.id) {
		return fmt.Errorf("%s does not know its primary yet", c.instance(m.Node))
	}
	_, err := m.ask(ctx, "CLUSTER", "REPLICATE", primary.me.id)
	return errors.Join(err, fmt.Errorf("%s has been told whom to follow", c.instance(m.Node)))
}

// Form makes one cluster of nodes that nobody operates.
func (c *Cluster) Form() {
	c.b.T.Helper()
	c.b.Eventually("the cluster to form", func() error {
		members, err := c.members(c.b.T.Context())
		if err != nil {
			return err
		}
		defer closeAll(members)
		return c.join(c.b.T.Context(), members)
	})
}

// Failover makes a replica of the shard its primary, in agreement with the old
// one.
func (c *Cluster) Failover(shard int) {
	c.b.T.Helper()
	for index := range c.Spec.Replicas + 1 {
		n := Node{shard, index}
		if n == c.Primary(shard) {
			continue
		}
		c.Valkey(n, "CLUSTER", "FAILOVER")
		c.b.Eventually("the replica to take over", func() error {
			if c.Primary(shard) != n {
				return errors.New(c.instance(n) + " is a replica")
			}
			return nil
		})
		c.WaitHealthy()
		return
	}
	c.b.T.Fatalf("shard %d has no replica", shard)
}

// Primary waits for the shard to have one node that serves its slots, and returns
// it.
func (c *Cluster) Primary(shard int) (primary Node) {
	c.b.T.Helper()
	c.b.Eventually(fmt.Sprintf("shard %d to have a primary", shard), func() error {
		members, err := c.members(c.b.T.Context())
		if err != nil {
			return err
		}
		defer closeAll(members)
		var serving []string
		for _, m := range members {
			if m.Shard == shard && len(m.me.slots) > 0 {
				primary, serving = m.Node, append(serving, m.pod.Name)
			}
		}
		if len(serving) != 1 {
			return fmt.Errorf("it has %d: %s", len(serving), strings.Join(serving, ", "))
		}
		return nil
	})
	return primary
}

// WaitHealthy waits until every node runs and sees a whole cluster of exactly these
// nodes, and every replica follows.
func (c *Cluster) WaitHealthy() {
	c.b.T.Helper()
	c.b.Eventually("the cluster to be healthy", func() error { return c.healthy(c.b.T.Context()) })
}

func (c *Cluster) healthy(ctx context.Context) error {
	pods, err := c.pods(ctx)
	if err != nil {
		return err
	}
	nodes := c.Nodes()
	if len(pods) != len(nodes) {
		return fmt.Errorf("there are %d pods, not %d", len(pods), len(nodes))
	}
	members, err := c.members(ctx)
	if err != nil {
		return err
	}
	defer closeAll(members)
	for _, n := range nodes {
		m := find(members, n)
		switch {
		case m == nil:
			return errNotAll
		case !m.synced:
			return fmt.Errorf("%s does not follow its primary", c.instance(n))
		case !m.ok:
			return fmt.Errorf("%s does not see a whole cluster", c.instance(n))
		case len(m.view) != len(nodes):
			return fmt.Errorf("%s knows %d of %d nodes", c.instance(n), len(m.view), len(nodes))
		case n.Index > 0 && len(m.me.slots) == 0 && m.me.primary == "-":
			return fmt.Errorf("%s is no part of its shard yet", c.instance(n))
		}
	}
	return nil
}
