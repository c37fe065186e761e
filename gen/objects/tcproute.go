package objects

import (
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Routes renders one TCPRoute a node, from the Gateway's listener on the node's
// port to the node's port of its shard Service.
//
// v1 and v1alpha2 have the same fields; only the version differs.
func Routes(x *plan.Exposed) []any {
	gateway := x.Cluster.ExternalAccess.Gateway
	if gateway == nil {
		return nil
	}
	all := make([]any, 0, len(x.Plan.Nodes))
	for _, node := range x.Plan.Nodes {
		route := &gatewayv1.TCPRoute{
			TypeMeta:   metadata.Type(gatewayv1.GroupName+"/"+x.Options.TCPRouteVersion, "TCPRoute"),
			ObjectMeta: metadata.Namespaced(x, plan.RouteName(x.Plan.Cluster, node.Shard, node.Index), metadata.After(x), metadata.Optional(x)),
			Spec: gatewayv1.TCPRouteSpec{
				CommonRouteSpec: gatewayv1.CommonRouteSpec{
					ParentRefs: []gatewayv1.ParentReference{parentRef(gateway.GatewayRef, node.Port)},
				},
				Rules: []gatewayv1.TCPRouteRule{{
					BackendRefs: []gatewayv1.BackendRef{{
						BackendObjectReference: gatewayv1.BackendObjectReference{
							Group: new(gatewayv1.Group("")),
							Kind:  new(gatewayv1.Kind("Service")),
							Name:  gatewayv1.ObjectName(node.Service),
							Port:  new(gatewayv1.PortNumber(node.ServicePort)),
						},
						Weight: new(int32(1)),
					}},
				}},
			},
		}
		route.Labels = metadata.Merged(route.Labels, metadata.NodeLabels(node))
		all = append(all, route)
	}
	return all
}

// parentRef attaches to one listener: name and port together match at most one.
func parentRef(ref schema.GatewayRef, port int) gatewayv1.ParentReference {
	parent := gatewayv1.ParentReference{
		Group: new(gatewayv1.Group(gatewayv1.GroupName)),
		Kind:  new(gatewayv1.Kind("Gateway")),
		Name:  gatewayv1.ObjectName(ref.Name),
		Port:  new(gatewayv1.PortNumber(port)),
	}
	if ref.Namespace != "" {
		parent.Namespace = new(gatewayv1.Namespace(ref.Namespace))
	}
	if ref.SectionName != "" {
		parent.SectionName = new(gatewayv1.SectionName(ref.SectionName))
	}
	return parent
}
