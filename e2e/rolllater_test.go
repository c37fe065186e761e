package e2e

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

const perNode = hostnames + "serviceScope: node\n"

// A running cluster gets external access without one pod restarted and without one
// write failed. What is given up is shown, too: a container that restarts in its old
// pod is back on its pod's address until the next run of the program. A new pod has
// it all from its start.
func TestEnabledWithoutARoll(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(plain(b, 3))
	c := operator.For(b, clusterName)
	c.Up()
	resolveNodes(b, c)
	f := startTraffic(b, "enabled", false, nil)
	b.Eventually("a thousand keys", func() error { return f.wrote(keys) })
	before := podsOf(c)

	manifests := rendered(b, input(b, 3, perNode, ""), "--roll", "later")
	b.Apply(manifests)
	jobEnds(b, manifests)
	announcesPerNode(b, c)
	seed := strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0]
	writeAndRead(b, seed)
	writeAndReadByCLI(b, nodeHostname(operator.Node{Shard: 2}), fmt.Sprint(portOf(b, operator.Node{Shard: 2})))
	busUsesPodAddresses(b, c)
	enabled := f.count() + 200
	b.Eventually("writes after it", func() error { return f.wrote(enabled) })
	f.end()
	unfailed(b, f)
	outside := &traffic{b: b, outside: true, prefix: f.prefix, acknowledged: f.acknowledged, stop: func() {}}
	outside.end()
	for _, n := range c.Nodes() {
		if pod := c.Pod(n); pod.UID != before[pod.Name] || restarts(pod) > 0 || hasOverlay(pod) {
			t.Errorf("%v was made anew or restarted", n)
		}
	}

	restarted := operator.Node{Shard: 1, Index: 1}
	restartContainer(b, c, restarted)
	b.Eventually("the others to know no hostname of a node restarted in its old pod", func() error {
		for _, n := range c.Nodes() {
			slots := c.Valkey(n, "CLUSTER", "SLOTS")
			if strings.Contains(slots, nodeHostname(restarted)) {
				return fmt.Errorf("%v has it:\n%s", n, slots)
			}
			if n != restarted && !strings.Contains(slots, "?\n6379\n") {
				return fmt.Errorf("%v does not answer ? for it:\n%s", n, slots)
			}
		}
		return nil
	})
	if s := settingsOf(c, restarted); s["cluster-preferred-endpoint-type"] != "ip" {
		t.Errorf("it prefers %v", s)
	}
	runReadback(b, manifests).must(b, 0, "msg=done")
	announcesPerNode(b, c)

	inForce(b)
	for _, n := range []operator.Node{restarted, c.Primary(0)} {
		if pod := c.DeletePod(n); !hasOverlay(pod) {
			t.Errorf("the new pod of %v lacks the overlay", n)
		}
		c.WaitHealthy()
	}
	announcesPerNode(b, c)
	writeAndRead(b, seed)
}

// unfailed fails the test if any command of the traffic had to be tried again.
func unfailed(b *bed.Bed, f *traffic) {
	b.T.Helper()
	if err := f.fault(); err != nil {
		b.T.Errorf("%s: %v", f.prefix, err)
	}
}

func nodeHostname(n operator.Node) string {
	return fmt.Sprintf("shard-%d-%d.%s", n.Shard, n.Index, domain)
}

// resolveNodes makes the hostname of each node known outside.
func resolveNodes(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	for _, n := range c.Nodes() {
		b.Resolve(nodeHostname(n))
	}
}

// portOf is the node port of a node's own Service.
func portOf(b *bed.Bed, n operator.Node) int {
	b.T.Helper()
	name := fmt.Sprintf("valkey-%s-%d-%d", clusterName, n.Shard, n.Index)
	s := bed.WaitFor(b, bed.Services, b.Namespace, name, "to have a node port", func(s *corev1.Service) bool {
		return len(s.Spec.Ports) == 1 && s.Spec.Ports[0].NodePort != 0
	})
	return int(s.Spec.Ports[0].NodePort)
}

// announcesPerNode asks every node, and compares with what the Services have.
func announcesPerNode(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	announcesAt(b, c, func(n operator.Node) (string, int) { return nodeHostname(n), portOf(b, n) })
}
