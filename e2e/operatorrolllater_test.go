//go:build operator

package e2e

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// A running cluster gets external access without one pod restarted and without one
// write failed; the operator's next roll, for another reason, gives every pod its
// settings, and no Job runs again.
func TestOperatorWithoutARoll(t *testing.T) {
	t.Parallel()
	b := startReal(t)
	b.Kubectl(plain(b, 3), "apply", "--server-side", "-f", "-")
	c := settled(b)
	resolveNodes(b, c)
	f := startTraffic(b, "enabled", false, nil)
	b.Eventually("a thousand keys", func() error { return f.wrote(keys) })
	old := map[operator.Node]*corev1.Pod{}
	for _, n := range c.Nodes() {
		old[n] = c.Pod(n)
	}

	d := newDeployment(b)
	d.render(input(b, 3, perNode, ""), "--roll", "later")
	d.apply()
	d.done()
	settled(b)
	announcesPerNode(b, c)
	writeAndRead(b, bootstrapSeed(b))
	enabled := f.count() + 200
	b.Eventually("writes after it", func() error { return f.wrote(enabled) })
	f.end()
	unfailed(b, f)
	for _, n := range c.Nodes() {
		if pod := c.Pod(n); pod.UID != old[n].UID || restarts(pod) > 0 || hasOverlay(pod) {
			t.Errorf("%v was made anew or restarted", n)
		}
	}

	f = startTraffic(b, "rolled", true, nil)
	d.render(input(b, 3, perNode, "resources: {requests: {memory: 48Mi}}"), "--roll", "later")
	d.apply()
	for _, n := range c.Nodes() {
		c.WaitReady(n, old[n])
	}
	settled(b)
	carriesOverlay(b, c)
	announcesPerNode(b, c)
	f.end()
}
