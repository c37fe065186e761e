package schema

// Values of ExternalAccess.ServiceType.
const (
	NodePort     = "NodePort"
	LoadBalancer = "LoadBalancer"
	ClusterIP    = "ClusterIP"
)

// Values of ExternalAccess.ServiceScope.
const (
	ScopeShard = "shard" // a Service is for a shard, with a port for each node
	ScopeNode  = "node"  // a Service is for one node, which has a hostname of its own
)

// Values of ExternalAccess.PreferredEndpointType. They are those of Valkey's
// cluster-preferred-endpoint-type, less unknown-endpoint; and address, for Valkey
// a hostname as well, as which it takes an IPv4 address.
const (
	PreferIP       = "ip"
	PreferHostname = "hostname"
	PreferAddress  = "address"
)

// ExternalAccess is spec.externalAccess. The CUE module documents its fields
// for the user; here is what Go needs to know beyond that.
type ExternalAccess struct {
	Enabled               bool                  `json:"enabled,omitempty"`
	ServiceType           string                `json:"serviceType,omitempty"`
	ServiceScope          string                `json:"serviceScope,omitempty"`
	ExternalTrafficPolicy string                `json:"externalTrafficPolicy,omitempty"`
	ServiceAnnotations    map[string]PerService `json:"serviceAnnotations,omitempty"`
	ServiceLabels         map[string]string     `json:"serviceLabels,omitempty"`

	// What follows is the Services' own, as in their spec. Nil is not given.
	LoadBalancerClass             string   `json:"loadBalancerClass,omitempty"`
	LoadBalancerSourceRanges      []string `json:"loadBalancerSourceRanges,omitempty"`
	AllocateLoadBalancerNodePorts *bool    `json:"allocateLoadBalancerNodePorts,omitempty"`
	IPFamilyPolicy                string   `json:"ipFamilyPolicy,omitempty"`

	HostnamePrefix        string   `json:"hostnamePrefix,omitempty"`
	Domain                string   `json:"domain,omitempty"`
	PreferredEndpointType string   `json:"preferredEndpointType,omitempty"`
	Gateway               *Gateway `json:"gateway,omitempty"`

	// Address is what all nodes announce in place of a hostname: an IPv4 address or a
	// name. "" with PreferAddress: the load balancers or the Gateway tell theirs.
	Address string `json:"address,omitempty"`

	// PortBase is the Service port of node (0,0), 1 to 65535; 0 is not given.
	PortBase int `json:"portBase,omitempty"`

	// SplitHorizon asks for Services inside that have the announced ports, where
	// none has.
	SplitHorizon bool `json:"splitHorizon,omitempty"`

	// ServedShards is more than the cluster's shards while those above are being
	// emptied, so that their Services and announcements stay; 0 is not given.
	ServedShards int `json:"servedShards,omitempty"`
}

// Gateway is spec.externalAccess.gateway.
type Gateway struct {
	GatewayRef GatewayRef `json:"gatewayRef"`
	BasePort   int        `json:"basePort"` // of node (0,0); 1 to 65535
}

// GatewayRef names a Gateway of the Gateway API.
type GatewayRef struct {
	Name        string `json:"name"`
	Namespace   string `json:"namespace,omitempty"` // empty: the cluster's
	SectionName string `json:"sectionName,omitempty"`
}

// EffectiveServiceType is the type the Services get: the one given, else
// ClusterIP with a gateway and NodePort without.
func (e *ExternalAccess) EffectiveServiceType() string {
	switch {
	case e.ServiceType != "":
		return e.ServiceType
	case e.Gateway != nil:
		return ClusterIP
	}
	return NodePort
}

// PerNode reports whether each node has a Service and a hostname of its own.
func (e *ExternalAccess) PerNode() bool { return e.ServiceScope == ScopeNode }

// EffectiveHostnamePrefix is the prefix given, else "shard".
func (e *ExternalAccess) EffectiveHostnamePrefix() string {
	if e.HostnamePrefix != "" {
		return e.HostnamePrefix
	}
	return "shard"
}
