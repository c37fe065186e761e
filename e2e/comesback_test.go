package e2e

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// ways are the two ways of a user to take a change back.
var ways = map[string]func(deployment){
	"rendered again": func(d deployment) { d.render(byHostname(d.b)) },
	"reverted":       deployment.revert,
}

func byHostname(b *bed.Bed) string { return input(b, 3, hostnames, "") }
func byIP(b *bed.Bed) string       { return input(b, 3, "domain: "+domain, "") }

// A change is taken back, and `kubectl apply` without prune carries that out: the
// third Job has the name of the first, and runs.
func TestChangeTakenBack(t *testing.T) {
	t.Parallel()
	for name, back := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t)
			d := newDeployment(b)
			d.render(byHostname(b))
			d.commit("hostname")
			d.apply()
			inForce(b)
			c := operator.For(b, clusterName)
			c.Up()
			d.done()
			announcesNodePorts(b, c)
			first := d.job()

			d.render(byIP(b))
			d.commit("ip")
			d.apply()
			d.done()
			prefers(b, c, "ip", domain)

			back(d)
			d.apply()
			d.done()
			cameBack(d, c, first.Name, first.UID)
		})
	}
}

// cameBack tells whether the Plan of the first Job is carried out once more, by
// another Job of its name.
func cameBack(d deployment, c *operator.Cluster, name string, uid types.UID) {
	d.b.T.Helper()
	third := d.job()
	if third.Name != name {
		d.b.T.Errorf("the same Plan has Job %s, then Job %s", name, third.Name)
	}
	if third.UID == uid {
		d.b.T.Error("the first Job still stands there")
	}
	prefers(d.b, c, "hostname", domain)
	recordsNodePorts(d.b, c)
	announcesNodePorts(d.b, c)
}
