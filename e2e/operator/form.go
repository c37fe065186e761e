package operator

import (
	"errors"
	"fmt"
	"strings"
)

const slots = 16384

// Form makes one cluster of nodes that are new: CLUSTER MEET, a share of the
// slots for node 0 of each shard, the others its replicas.
func (c *Cluster) Form() {
	c.b.T.Helper()
	nodes := c.Nodes()
	for _, n := range nodes {
		c.WaitReady(n, nil)
	}
	first := nodes[0]
	for shard := range c.Spec.Shards {
		from, to := slots*shard/c.Spec.Shards, slots*(shard+1)/c.Spec.Shards-1
		primary := Node{shard, 0}
		c.Valkey(primary, "CLUSTER", "ADDSLOTSRANGE", fmt.Sprint(from), fmt.Sprint(to))
		c.Valkey(primary, "CLUSTER", "SET-CONFIG-EPOCH", fmt.Sprint(shard+1))
	}
	for _, n := range nodes[1:] {
		c.Valkey(first, "CLUSTER", "MEET", c.Pod(n).Status.PodIP, "6379")
	}
	c.b.Eventually("all nodes to know each other", func() error {
		for _, n := range nodes {
			if known := len(c.view(n)); known != len(nodes) {
				return fmt.Errorf("%s knows %d nodes", c.instance(n), known)
			}
		}
		return nil
	})
	for _, n := range nodes {
		if n.Index != 0 {
			c.replicate(n, c.Valkey(Node{n.Shard, 0}, "CLUSTER", "MYID"))
		}
	}
	c.WaitHealthy()
}

// Rejoin brings a node whose pod was replaced back into its shard, and makes the
// others forget who it was.
func (c *Cluster) Rejoin(n Node) {
	c.b.T.Helper()
	var primary Node
	c.b.Eventually("the shard to have a primary", func() error {
		for index := range c.Spec.Replicas + 1 {
			if other := (Node{n.Shard, index}); other != n && c.isPrimary(other) {
				primary = other
				return nil
			}
		}
		return errors.New("no node of it is one")
	})
	id := c.Valkey(primary, "CLUSTER", "MYID")
	c.Valkey(primary, "CLUSTER", "MEET", c.Pod(n).Status.PodIP, "6379")
	c.replicate(n, id)
	c.forgetStrangers()
	c.WaitHealthy()
}

// replicate makes a node a replica, as soon as it knows its primary by name: a
// node that is still shaking hands is listed under another.
func (c *Cluster) replicate(n Node, primary string) {
	c.b.T.Helper()
	c.b.Eventually("the node to follow its primary", func() error {
		_, err := c.b.TryValkey(c.Pod(n).Name, "CLUSTER", "REPLICATE", primary)
		return err
	})
}

// forgetStrangers removes nodes whose pods are gone, on all nodes at once: one
// that still remembers would tell the others again.
func (c *Cluster) forgetStrangers() {
	c.b.T.Helper()
	alive := map[string]bool{}
	for _, n := range c.Nodes() {
		alive[c.Valkey(n, "CLUSTER", "MYID")] = true
	}
	for _, n := range c.Nodes() {
		for _, seen := range c.view(n) {
			if !alive[seen.id] {
				// A node may have heard of it, or forgotten it, in between.
				_, _ = c.b.TryValkey(c.Pod(n).Name, "CLUSTER", "FORGET", seen.id)
			}
		}
	}
}

// Failover makes a replica of the shard its primary, in agreement with the old
// one.
func (c *Cluster) Failover(shard int) {
	c.b.T.Helper()
	for index := range c.Spec.Replicas + 1 {
		n := Node{shard, index}
		if c.isPrimary(n) {
			continue
		}
		c.Valkey(n, "CLUSTER", "FAILOVER")
		c.b.Eventually("the replica to take over", func() error {
			if !c.isPrimary(n) {
				return errors.New(c.instance(n) + " is a replica")
			}
			return nil
		})
		c.WaitHealthy()
		return
	}
	c.b.T.Fatalf("shard %d has no replica", shard)
}

// Primary is the node that serves the shard's slots.
func (c *Cluster) Primary(shard int) Node {
	c.b.T.Helper()
	for index := range c.Spec.Replicas + 1 {
		if n := (Node{shard, index}); c.isPrimary(n) {
			return n
		}
	}
	c.b.T.Fatalf("shard %d has no primary", shard)
	return Node{}
}

// isPrimary asks the node. A new node without slots calls itself primary too.
func (c *Cluster) isPrimary(n Node) bool {
	c.b.T.Helper()
	for _, seen := range c.view(n) {
		if strings.Contains(seen.flags, "myself") {
			return strings.Contains(seen.flags, "master") && len(seen.slots) > 0
		}
	}
	return false
}

// WaitHealthy waits until every node sees a whole cluster of exactly these nodes
// and every replica follows.
func (c *Cluster) WaitHealthy() {
	c.b.T.Helper()
	nodes := c.Nodes()
	c.b.Eventually("the cluster to be healthy", func() error {
		for _, n := range nodes {
			pod := c.Pod(n).Name
			info, err := c.b.TryValkey(pod, "CLUSTER", "INFO")
			if err != nil {
				return err
			}
			if !strings.Contains(info, "cluster_state:ok") {
				return fmt.Errorf("%s: %s", c.instance(n), strings.Fields(info)[0])
			}
			if known := len(c.view(n)); known != len(nodes) {
				return fmt.Errorf("%s knows %d of %d nodes", c.instance(n), known, len(nodes))
			}
			replication := c.Valkey(n, "INFO", "replication")
			if strings.Contains(replication, "role:slave") && !strings.Contains(replication, "master_link_status:up") {
				return fmt.Errorf("%s does not follow its primary", c.instance(n))
			}
		}
		return nil
	})
}

// seenNode is a line of CLUSTER NODES.
type seenNode struct {
	id, address, flags string
	slots              []string
}

// view is a node's own picture of the cluster.
func (c *Cluster) view(n Node) []seenNode {
	c.b.T.Helper()
	var nodes []seenNode
	for line := range strings.Lines(c.Valkey(n, "CLUSTER", "NODES")) {
		f := strings.Fields(line)
		if len(f) < 8 {
			c.b.T.Fatalf("CLUSTER NODES: %q", line)
		}
		nodes = append(nodes, seenNode{id: f[0], address: f[1], flags: f[2], slots: f[8:]})
	}
	return nodes
}
