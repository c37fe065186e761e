package schema

// ExternalEndpoint is how clients outside reach one shard. The read-back Job
// lists one for each shard in status.externalEndpoints of the ValkeyCluster, a
// map by shardIndex.
type ExternalEndpoint struct {
	ShardIndex int `json:"shardIndex"`

	// NodePorts are the ports that Kubernetes allocated on every machine, by
	// node index; only with serviceType NodePort.
	NodePorts []int `json:"nodePorts,omitempty"`

	// Hostname is what the shard's nodes announce, "" without a domain.
	Hostname string `json:"hostname,omitempty"`

	// Hostnames are those of the nodes, by node index, where each has its own:
	// with serviceScope node, in place of Hostname.
	Hostnames []string `json:"hostnames,omitempty"`

	// Address is the IP or hostname that the nodes announce with
	// preferredEndpointType: address, or that of the shard's load balancer.
	Address string `json:"address,omitempty"`

	// Addresses are the same by node index, with serviceScope node in place of Address.
	Addresses []string `json:"addresses,omitempty"`

	// Ports are what a client dials, by node index.
	Ports []int `json:"ports"`
}
