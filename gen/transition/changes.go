package transition

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// changes lists the fields that differ, one line a field. What a Plan of version 1
// does not say is passed over.
func changes(last, next *schema.Plan) []Change {
	all := []Change{
		{"preferredEndpointType", last.PreferredEndpointType, next.PreferredEndpointType},
		{"serviceType", last.ServiceType, next.ServiceType},
		{"serviceScope", scope(last), scope(next)},
		{"gateway", fmt.Sprint(last.Gateway), fmt.Sprint(next.Gateway)},
		{"tls", fmt.Sprint(last.TLS), fmt.Sprint(next.TLS)},
		{"roll", cmp.Or(last.Roll, schema.RollNow), cmp.Or(next.Roll, schema.RollNow)},
		{"readback", last.Readback, next.Readback},
		{"splitHorizon", fmt.Sprint(inside(last)), fmt.Sprint(inside(next))},
	}
	if last.GatewayRef != nil && next.GatewayRef != nil {
		all = append(all, Change{"gatewayRef", gatewayName(last.GatewayRef), gatewayName(next.GatewayRef)})
	}
	if knowsClass(last) {
		all = append(all, Change{"loadBalancerClass", last.LoadBalancerClass, next.LoadBalancerClass})
	}
	return slices.DeleteFunc(all, func(c Change) bool { return c.Old == c.New })
}

// inside reports whether there are Services inside for the announced names.
func inside(p *schema.Plan) bool {
	return slices.ContainsFunc(p.Nodes, func(n schema.Node) bool { return n.Inside != "" })
}
