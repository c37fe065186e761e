package e2e

import (
	"errors"
	"strings"
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

// Two Jobs of two Plans are held up by a pod that is not Ready, and released
// together: the cluster ends on the Plan that was applied last. Neither is in force
// before, but from the third round on each had been.
func TestNewestPlanWins(t *testing.T) {
	t.Parallel()
	b := start(t)
	domains := []string{domain, "cache.example.com", "store.example.com"}
	var plans []string
	for _, d := range domains {
		plans = append(plans, rendered(b, input(b, 1, strings.ReplaceAll(hostnames, domain, d), "")))
	}
	c := upWithoutJob(b, plans[0])
	pod := c.Pod(operator.Node{Shard: 0, Index: 1})
	current := 0
	for round := range 20 {
		older, newer := (current+1)%3, (current+2)%3
		current = newer
		setReady(b, pod, false)
		b.Apply(plans[older])
		b.Eventually("the older Job to wait", func() error {
			log, err := jobLog(b, jobName(b, plans[older]))
			if err == nil && !strings.Contains(log, "pod "+pod.Name+" is not Ready") {
				err = errors.New("it does not yet")
			}
			return err
		})
		// One time the newer Job has begun as well, the other it has not.
		b.Apply(without(t, plans[newer], "Job"))
		if round%4 < 2 {
			setReady(b, pod, true)
		}
		b.Apply(kinds(t, plans[newer], "Job"))
		setReady(b, pod, true)
		jobEnds(b, plans[newer])
		for _, n := range c.Nodes() {
			if got, want := settingsOf(c, n)["cluster-announce-hostname"], "shard-0."+domains[newer]; got != want {
				t.Errorf("round %d: %v announces %q, not %q", round, n, got, want)
			}
		}
		if got := endpointsMap(b).Data["bootstrap"]; !strings.Contains(got, "shard-0."+domains[newer]) {
			t.Errorf("round %d: the record is %q", round, got)
		}
	}
}
