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
		PreferredEndpointType: schema.PreferIP,
		ServiceType:           access.EffectiveServiceType(),
		Gateway:               access.Gateway != nil,
		TLS:                   c.TLS != nil,
		LoadBalancerClass:     access.LoadBalancerClass,
		Inject:                o.Inject,
		Readback:              o.Readback,
		Nodes:                 make([]schema.Node, 0, max(c.Shards, access.ServedShards)*c.NodesPerShard()),
	}
	if access.PrefersHostname() {
		plan.PreferredEndpointType = schema.PreferHostname
	}
	if access.Gateway != nil {
		ref := access.Gateway.GatewayRef
		ref.Namespace = cmp.Or(ref.Namespace, plan.Namespace)
		plan.GatewayRef = &ref
	}
	if c.TLS != nil {
		plan.TLSServerName = cmp.Or(c.TLS.ServerName, schema.HeadlessHost(c.Name, plan.Namespace, c.ClusterDomain))
	}
	for shard := range max(c.Shards, access.ServedShards) {
		service, hostname := serviceName(c.Name, shard), hostname(access, shard)
		for index := range c.NodesPerShard() {
			node := schema.Node{
				Shard:       shard,
				Index:       index,
				Name:        nodeName(c.Name, shard, index),
				Hostname:    hostname,
				Service:     service,
				ServicePort: schema.ClientPort + index,
				PortName:    portName(index),
				Draining:    shard >= c.Shards,
			}
			switch {
			case access.Gateway != nil:
				node.Port = access.Gateway.BasePort + shard*c.NodesPerShard() + index
				if access.SplitHorizon {
					node.Inside = insideName(c.Name, shard)
				}
			case plan.ServiceType != schema.NodePort:
				node.Port = node.ServicePort
			}
			plan.Nodes = append(plan.Nodes, node)
		}
	}
	return plan
}

// hostname is what the nodes of a shard announce, "" without a domain.
func hostname(access *schema.ExternalAccess, shard int) string {
	if access.Domain == "" {
		return ""
	}
	return fmt.Sprintf("%s-%d.%s", access.EffectiveHostnamePrefix(), shard, access.Domain)
}

// CertificateNames lists the names that the cluster's certificate must carry:
// that of the headless Service, by which the operator and the read-back Job
// verify the nodes, and every announced hostname.
func CertificateNames(plan schema.Plan) []string {
	names := []string{cmp.Or(plan.TLSServerName, schema.HeadlessHost(plan.Cluster, plan.Namespace, ""))}
	for _, node := range plan.Nodes {
		if node.Index == 0 && node.Hostname != "" {
			names = append(names, node.Hostname)
		}
	}
	return names
}
