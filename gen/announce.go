package gen

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// announce renders the overlay's files known now: a fragment of valkey.conf for
// each node, which its pod includes at start.
//
// The Job adds <s>-<n>.allocated.conf in another ConfigMap. Valkey loads both in
// the order of their names and the last value wins, so that with "ip" nothing
// that was allocated earlier survives.
func (b *builder) announce() any {
	m := b.configMap(announceName(b.cluster.Name))
	m.Data = make(map[string]string, len(b.plan.Nodes))
	for _, node := range b.plan.Nodes {
		m.Data[fmt.Sprintf("%d-%d.static.conf", node.Shard, node.Index)] = b.fragment(node)
	}
	annotate(m, b.gitops.before)
	return m
}

// fragment is the file of one node. Never cluster-announce-ip, -port, -tls-port
// or -bus-port in it: nodes talk to each other on pod IPs.
func (b *builder) fragment(node schema.Node) string {
	var f strings.Builder
	set := func(name string, value any) { fmt.Fprintln(&f, name, value) }

	set(schema.AnnounceNodename, node.Name)
	if node.Hostname != "" {
		set(schema.AnnounceHostname, node.Hostname)
	}
	switch {
	case !b.plan.PrefersHostname():
		// A client port beside "ip" would be handed out as podIP:port, which
		// nobody can reach.
		set(schema.AnnounceClientPort, 0)
		set(schema.AnnounceClientTLSPort, 0)
		set(schema.PreferredEndpointType, schema.PreferIP)
	case b.options.Readback == ReadbackNone && node.Port != 0:
		// Nobody comes after the start to announce the rest. Otherwise the Job
		// does, when all nodes have a hostname: one that prefers hostnames
		// answers "?" for a node that has none yet.
		set(b.plan.ClientPortSetting(), node.Port)
		set(schema.PreferredEndpointType, schema.PreferHostname)
	}
	return f.String()
}

// endpoints renders the ConfigMap that the Job fills. It has no data, not even
// an empty map, so that applying it again takes nothing away, and it is pruned
// with the rest.
func (b *builder) endpoints() any {
	m := b.configMap(schema.EndpointsName(b.cluster.Name))
	annotate(m, b.gitops.before)
	return m
}

func (b *builder) configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   typeMeta("v1", "ConfigMap"),
		ObjectMeta: b.meta(name, nil),
	}
}
