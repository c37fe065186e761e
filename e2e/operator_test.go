//go:build operator

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// startReal is a bed with the real operator. It does everything in its own time.
func startReal(t *testing.T) *bed.Bed {
	t.Helper()
	b := bed.Start(t)
	b.Patience = 8 * time.Minute
	b.StartOperator()
	return b
}

// settled waits until every node is there and Ready, and the cluster healthy.
func settled(b *bed.Bed) *operator.Cluster {
	b.T.Helper()
	c := operator.For(b, clusterName)
	for _, n := range c.Nodes() {
		c.WaitReady(n, nil)
	}
	c.WaitHealthy()
	return c
}

func bootstrapSeed(b *bed.Bed) string {
	b.T.Helper()
	return strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0]
}

// A cluster that is new, and everything else, by one apply; then a primary's pod is
// deleted under load.
func TestOperatorFreshCluster(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"StatefulSet": "",
		"Deployment":  "workloadType: Deployment",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := startReal(t)
			d := newDeployment(b)
			d.render(input(b, 3, hostnames, more))
			d.apply()
			d.done()
			c := settled(b)
			carriesOverlay(b, c)
			recordsNodePorts(b, c)
			announcesNodePorts(b, c)
			busUsesPodAddresses(b, c)
			resolve(b, 3)
			writeAndRead(b, bootstrapSeed(b))

			f := startTraffic(b, "deleted", true, nil)
			c.DeletePod(c.Primary(1))
			c.WaitHealthy()
			announcesNodePorts(b, c)
			f.end()
		})
	}
}

// A running cluster with a thousand keys gets external access by one apply, under
// load, ten times from the plain state.
func TestOperatorEnablesARunningCluster(t *testing.T) {
	t.Parallel()
	for i := range 10 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			b := startReal(t)
			b.Kubectl(plain(b, 3), "apply", "--server-side", "-f", "-")
			settled(b)
			before := startTraffic(b, "before", false, nil)
			b.Eventually("a thousand keys", func() error { return before.wrote(keys) })
			resolve(b, 3)
			d := newDeployment(b)
			d.render(input(b, 3, hostnames, ""))
			d.apply()
			d.done()
			c := settled(b)
			before.end()
			carriesOverlay(b, c)
			recordsNodePorts(b, c)
			announcesNodePorts(b, c)
			writeAndRead(b, bootstrapSeed(b))
			outside := &traffic{b: b, outside: true, prefix: before.prefix, acknowledged: before.acknowledged, stop: func() {}}
			outside.end()
		})
	}
}
