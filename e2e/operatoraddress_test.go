//go:build operator

package e2e

import (
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// A running cluster gets external access by addresses under load. The operator goes on
// matching pods by their IPs: a primary's pod is deleted, and the cluster is whole again.
// A Service made anew is announced when the Job runs again.
func TestOperatorWithAddresses(t *testing.T) {
	t.Parallel()
	b := startReal(t)
	b.NoNames = true
	b.StartLoadBalancer()
	b.Kubectl(plain(b, 3), "apply", "--server-side", "-f", "-")
	settled(b)
	before := startTraffic(b, "before", false, nil)
	b.Eventually("a thousand keys", func() error { return before.wrote(keys) })
	d := newDeployment(b)
	d.render(input(b, 3, addresses+"serviceType: LoadBalancer", ""))
	d.apply()
	d.done()
	c := settled(b)
	before.end()
	carriesOverlay(b, c)
	reachedByAddress(b, c)
	outside := &traffic{b: b, outside: true, prefix: before.prefix, acknowledged: before.acknowledged, stop: func() {}}
	outside.end()

	f := startTraffic(b, "deleted", true, nil)
	c.DeletePod(c.Primary(1))
	c.WaitHealthy()
	announcesAddresses(b, c)
	busUsesPodAddresses(b, c)
	f.end()

	old := reachOf(b, operator.Node{Shard: 2})
	prune(b, "services", serviceName(2))
	b.Kubectl("", "delete", "job", d.job().Name)
	d.apply()
	d.done()
	if again := reachOf(b, operator.Node{Shard: 2}); again == old {
		t.Fatalf("the Service made anew has the address of before, %s", old)
	}
	reachedByAddress(b, c)
}
