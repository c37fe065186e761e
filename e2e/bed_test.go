package e2e

import (
	"strings"
	"testing"
)

// A cluster that has nothing to do with us forms and replicates: the bed's own
// proof.
func TestBedRunsAPlainCluster(t *testing.T) {
	t.Parallel()
	b := start(t)
	cluster := strings.Split(input(b, 3, "", ""), "  externalAccess:")[0]
	c := apply(b, cluster)
	c.Up()
	for _, n := range c.Nodes() {
		if info := c.Valkey(n, "CLUSTER", "INFO"); !strings.Contains(info, "cluster_size:3") {
			t.Errorf("node %v: %s", n, info)
		}
	}
}
