package objects

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// InsideServices renders the Services that have the announced ports inside the
// cluster, for clients that its DNS leads there. They have none of the user's
// annotations: those are for load balancers and for names outside.
func InsideServices(x *plan.Exposed) []any {
	var all []any
	var service *corev1.Service
	for _, node := range x.Plan.Nodes {
		if node.Inside == "" {
			continue
		}
		if service == nil || service.Name != node.Inside {
			service = insideService(x, node)
			all = append(all, service)
		}
		service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{
			Name:       node.PortName,
			Protocol:   corev1.ProtocolTCP,
			Port:       int32(node.Port),
			TargetPort: targetPort(x, node),
		})
	}
	return all
}

// insideService is that of a node, still without ports.
func insideService(x *plan.Exposed, node schema.Node) *corev1.Service {
	access, labels := x.Cluster.ExternalAccess, serviceLabels(x, node)
	service := &corev1.Service{
		TypeMeta:   metadata.Type("v1", "Service"),
		ObjectMeta: metadata.Namespaced(x, node.Inside, metadata.After(x)),
		Spec: corev1.ServiceSpec{
			Type:            corev1.ServiceTypeClusterIP,
			SessionAffinity: corev1.ServiceAffinityNone,
			IPFamilyPolicy:  given(corev1.IPFamilyPolicy(access.IPFamilyPolicy)),
			Selector:        metadata.Merged(map[string]string{schema.ClusterLabel: x.Plan.Cluster}, labels),
		},
	}
	service.Labels = metadata.Merged(metadata.Merged(service.Labels, access.ServiceLabels), labels)
	return service
}
