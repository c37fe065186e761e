//go:build operator

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
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

// A deployment is a folder of rendered files that a user keeps and applies.
type deployment struct {
	b   *bed.Bed
	dir string
}

func newDeployment(b *bed.Bed) deployment {
	return deployment{b, filepath.Join(b.T.TempDir(), "deploy")}
}

// render writes the folder anew.
func (d deployment) render(cluster string, flags ...string) {
	d.b.T.Helper()
	rendered(d.b, cluster, append(flags, "-o", d.dir)...)
	if text, err := os.ReadFile(filepath.Join(d.dir, "policy.yaml")); err == nil {
		d.b.DeleteAtEnd(string(text))
	}
}

// apply applies the folder as a user does, in one go.
func (d deployment) apply() {
	d.b.T.Helper()
	d.b.Kubectl("", "apply", "--server-side", "-k", d.dir)
}

// done waits until the Job of the folder has announced.
func (d deployment) done() {
	d.b.T.Helper()
	manifests, err := d.b.Kustomize("build", d.dir)
	if err != nil {
		d.b.T.Fatal(err)
	}
	jobEnds(d.b, manifests)
}

// settled waits until every node is there and Ready, and the cluster healthy.
func settled(b *bed.Bed, shards int) *operator.Cluster {
	b.T.Helper()
	c := operator.Plain(b, clusterName, shards, 1)
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
			c := settled(b, 3)
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
			settled(b, 3)
			before := startTraffic(b, "before", false, nil)
			b.Eventually("a thousand keys", func() error { return before.wrote(keys) })
			resolve(b, 3)
			d := newDeployment(b)
			d.render(input(b, 3, hostnames, ""))
			d.apply()
			d.done()
			c := settled(b, 3)
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
