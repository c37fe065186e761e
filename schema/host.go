package schema

import "cmp"

// PrefersHostname reports whether clients are redirected to what nodes announce as
// their hostname: a name of the domain, or an address in its place.
func (p *Plan) PrefersHostname() bool {
	return p.PreferredEndpointType == PreferHostname || p.PrefersAddress()
}

// PrefersAddress reports whether that is the address which leads to the node.
func (p *Plan) PrefersAddress() bool { return p.PreferredEndpointType == PreferAddress }

// Host is what the node announces as its hostname, "" if nothing, or nothing that is
// known at the render.
func (n Node) Host() string { return cmp.Or(n.Hostname, n.Address) }

// AwaitsAddress reports whether what a node announces is known only once a load
// balancer or the Gateway has its address.
func (p *Plan) AwaitsAddress(n Node) bool { return p.PrefersAddress() && n.Host() == "" }

// AsksGateway reports whether it is the Gateway that has it.
func (p *Plan) AsksGateway() bool {
	if !p.Gateway || p.GatewayRef == nil {
		return false
	}
	for _, n := range p.Nodes {
		if p.AwaitsAddress(n) {
			return true
		}
	}
	return false
}
