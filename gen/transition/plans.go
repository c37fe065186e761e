package transition

import (
	"cmp"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// overlay is how what a node announces comes into its pod, "" if it does not.
func overlay(p *schema.Plan) string {
	if p == nil || p.Inject == schema.InjectNone {
		return ""
	}
	return p.Inject
}

// rolled is the overlay that a roll gives to every pod, "" if none does.
func rolled(p *schema.Plan) string {
	if p == nil || p.RollsLater() {
		return ""
	}
	return overlay(p)
}

// AnnouncedAtStart reports whether a pod that starts announces all that the Plan
// says, with no read-back after it: it has the overlay, and no port or address of its
// is Kubernetes' to choose.
func AnnouncedAtStart(p *schema.Plan) bool {
	return overlay(p) != "" && (!p.PrefersHostname() ||
		!slices.ContainsFunc(p.Nodes, func(n schema.Node) bool { return n.Port == 0 || p.AwaitsAddress(n) }))
}

func sameCluster(a, b *schema.Plan) bool {
	return a != nil && b != nil && a.Cluster == b.Cluster && a.Namespace == b.Namespace
}

// gatewayName names a Gateway, and its listener if one is chosen.
func gatewayName(r *schema.GatewayRef) string {
	name := schema.QualifiedName(r.Namespace, r.Name)
	if r.SectionName != "" {
		name += ", section " + r.SectionName
	}
	return name
}

// scope is what a Service is for.
func scope(p *schema.Plan) string { return cmp.Or(p.ServiceScope, schema.ScopeShard) }

// way is what the hostnames or addresses lead to.
func way(p *schema.Plan) string {
	switch {
	case p.Gateway && p.GatewayRef != nil:
		return "Gateway " + gatewayName(p.GatewayRef)
	case p.Gateway:
		return "a Gateway"
	}
	return p.ServiceType
}

// knowsClass reports whether the Plan says the class of its load balancers.
func knowsClass(p *schema.Plan) bool { return p.Version > 1 }

// awaited is what of the way to nodes is known only in the cluster, "" if nothing.
func awaited(p *schema.Plan) string {
	switch {
	case !p.Gateway && p.ServiceType == schema.NodePort:
		return "ports"
	case slices.ContainsFunc(p.Nodes, p.AwaitsAddress):
		return "addresses"
	}
	return ""
}
