package objects

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Announce renders the overlay's files known now: a fragment of valkey.conf for
// each node, which its pod includes at start.
//
// The Job adds the rest in another ConfigMap.
func Announce(x *plan.Exposed) *corev1.ConfigMap {
	m := configMap(x, plan.AnnounceName(x.Plan.Cluster))
	m.Data = make(map[string]string, len(x.Plan.Nodes))
	for _, node := range x.Plan.Nodes {
		m.Data[schema.StaticFile(node)] = fragment(x, node)
	}
	return m
}

// fragment is the file of one node. Never cluster-announce-ip, -port, -tls-port
// or -bus-port in it: nodes talk to each other on pod IPs.
func fragment(x *plan.Exposed, node schema.Node) string {
	names := schema.ConfigLines(schema.Given(schema.NameSettings(node.Name, node.Host())))
	switch {
	case !x.Plan.PrefersHostname():
		// A client port beside "ip" would be handed out as podIP:port, which
		// nobody can reach.
		return names + schema.ConfigLines(schema.RouteSettings(false, x.Plan.TLS, 0))
	case !x.ReadsBack() && node.Port != 0 && node.Host() != "":
		// Nobody comes after the start to announce the rest. Otherwise the Job
		// does, when all nodes have a hostname: one that prefers hostnames
		// answers "?" for a node that has none yet.
		return names + schema.ConfigLines(schema.Given(schema.RouteSettings(true, x.Plan.TLS, node.Port)))
	}
	return names
}
