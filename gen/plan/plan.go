package plan

import (
	"cmp"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// New works out how every node of an exposed cluster is reached. The
// cluster's own namespace goes before the one given.
func New(c *schema.Cluster, o Options) schema.Plan {
	access := c.ExternalAccess
	plan := schema.Plan{
		Version:               schema.PlanVersion,
		Cluster:               c.Name,
		Namespace:             cmp.Or(c.Namespace, o.Namespace),
		PreferredEndpointType: cmp.Or(access.PreferredEndpointType, schema.PreferIP),
		ServiceType:           access.EffectiveServiceType(),
		ServiceScope:          serviceScope(access),
		Gateway:               access.Gateway != nil,
		TLS:                   c.TLS != nil,
		LoadBalancerClass:     access.LoadBalancerClass,
		Inject:                o.Inject,
		Readback:              o.Readback,
		Nodes:                 make([]schema.Node, 0, max(c.Shards, access.ServedShards)*c.NodesPerShard()),
	}
	if o.Roll == schema.RollLater {
		plan.Roll = o.Roll
	}
	if access.Gateway != nil {
		ref := access.Gateway.GatewayRef
		ref.Namespace = cmp.Or(ref.Namespace, plan.Namespace)
		plan.GatewayRef = &ref
	}
	if c.TLS != nil {
		plan.TLSServerName = cmp.Or(c.TLS.ServerName, schema.HeadlessHost(c.Name, plan.Namespace, c.ClusterDomain))
	}
	address := "" // of all nodes
	if plan.PrefersAddress() {
		address = access.Address
	}
	for shard := range max(c.Shards, access.ServedShards) {
		for index := range c.NodesPerShard() {
			node := schema.Node{
				Shard:       shard,
				Index:       index,
				Name:        nodeName(c.Name, shard, index),
				Hostname:    hostname(access, shard, index),
				Address:     address,
				Service:     serviceName(c, shard, index),
				ServicePort: servicePort(c, shard, index),
				PortName:    schema.PortName(index),
				Draining:    shard >= c.Shards,
			}
			switch {
			case access.Gateway != nil:
				node.Port = access.Gateway.BasePort + shard*c.NodesPerShard() + index
				if access.SplitHorizon {
					node.Inside = insideName(c, shard, index)
				}
			case plan.ServiceType != schema.NodePort:
				node.Port = node.ServicePort
			}
			plan.Nodes = append(plan.Nodes, node)
		}
	}
	return plan
}

// serviceScope is the Plan's: that of a Service a shard is left out.
func serviceScope(access *schema.ExternalAccess) string {
	if access.PerNode() {
		return schema.ScopeNode
	}
	return ""
}

// servicePort is the port of a node's Service that leads to it.
func servicePort(c *schema.Cluster, shard, index int) int {
	if base := c.ExternalAccess.PortBase; base != 0 {
		return base + shard*c.NodesPerShard() + index
	}
	if c.ExternalAccess.PerNode() {
		return schema.ClientPort
	}
	return schema.ClientPort + index
}

// hostname is what a node announces, "" without a domain: its shard's, or its own.
func hostname(access *schema.ExternalAccess, shard, index int) string {
	switch {
	case access.Domain == "":
		return ""
	case access.PerNode():
		return fmt.Sprintf("%s-%d-%d.%s", access.EffectiveHostnamePrefix(), shard, index, access.Domain)
	}
	return fmt.Sprintf("%s-%d.%s", access.EffectiveHostnamePrefix(), shard, access.Domain)
}

// CertificateNames lists the names that the cluster's certificate must carry:
// that of the headless Service, by which the operator and the read-back Job
// verify the nodes, and every announced hostname or address that is known.
func CertificateNames(plan schema.Plan) []string {
	names := []string{cmp.Or(plan.TLSServerName, schema.HeadlessHost(plan.Cluster, plan.Namespace, ""))}
	for _, node := range plan.Nodes {
		// The nodes of a shard, or of the cluster, may share one.
		if host := node.Host(); host != "" && host != names[len(names)-1] {
			names = append(names, host)
		}
	}
	return names
}
