package gen

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// NewPlan works out how every node of an exposed cluster is reached. The
// cluster's own namespace goes before the one given.
func NewPlan(c *schema.Cluster, namespace string) schema.Plan {
	access := c.ExternalAccess
	plan := schema.Plan{
		Version:               schema.PlanVersion,
		Cluster:               c.Name,
		Namespace:             namespaceOf(c, namespace),
		PreferredEndpointType: schema.PreferIP,
		ServiceType:           access.EffectiveServiceType(),
		Gateway:               access.Gateway != nil,
		TLS:                   c.TLS != nil,
		Nodes:                 make([]schema.Node, 0, c.Nodes()),
	}
	if access.PrefersHostname() {
		plan.PreferredEndpointType = schema.PreferHostname
	}
	for shard := range c.Shards {
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
			}
			switch {
			case access.Gateway != nil:
				node.Port = access.Gateway.BasePort + shard*c.NodesPerShard() + index
			case plan.ServiceType != schema.NodePort:
				node.Port = node.ServicePort
			}
			plan.Nodes = append(plan.Nodes, node)
		}
	}
	return plan
}

func namespaceOf(c *schema.Cluster, fallback string) string {
	if c.Namespace != "" {
		return c.Namespace
	}
	return fallback
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
	names := []string{schema.HeadlessHost(plan.Cluster, plan.Namespace)}
	for _, node := range plan.Nodes {
		if node.Index == 0 && node.Hostname != "" {
			names = append(names, node.Hostname)
		}
	}
	return names
}
