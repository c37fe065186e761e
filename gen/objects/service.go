package objects

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Services renders one Service a shard, with one port a node, or one Service a
// node. Every port of one has exactly one endpoint. There is never a nodePort:
// Kubernetes allocates it, and applying again must not clear it.
func Services(x *plan.Exposed) []any {
	var all []any
	for nodes := range slices.Chunk(x.Plan.Nodes, nodesPerService(x)) {
		first := nodes[0]
		labels := serviceLabels(x, first)
		service := &corev1.Service{
			TypeMeta:   metadata.Type("v1", "Service"),
			ObjectMeta: metadata.Namespaced(x, first.Service, metadata.After(x), ServiceAnnotations(x, first)),
			Spec:       serviceSpec(x),
		}
		service.Labels = metadata.Merged(metadata.Merged(service.Labels, x.Cluster.ExternalAccess.ServiceLabels), labels)
		service.Spec.Selector = metadata.Merged(map[string]string{schema.ClusterLabel: x.Plan.Cluster}, labels)
		for _, node := range nodes {
			service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{
				Name:       node.PortName,
				Protocol:   corev1.ProtocolTCP,
				Port:       int32(node.ServicePort),
				TargetPort: targetPort(x, node),
			})
		}
		all = append(all, service)
	}
	return all
}

// nodesPerService is how many of the Plan's nodes, one after the other, a Service is for.
func nodesPerService(x *plan.Exposed) int {
	if x.Plan.PerNode() {
		return 1
	}
	return x.Cluster.NodesPerShard()
}

// serviceLabels are those by which a Service selects the pods of its nodes, beside
// the cluster's. It carries them itself.
func serviceLabels(x *plan.Exposed, first schema.Node) map[string]string {
	if x.Plan.PerNode() {
		return metadata.NodeLabels(first)
	}
	return metadata.ShardLabels(first.Shard)
}

// targetPort is the container port that a Service port leads to: by a name that
// only one pod of a shard has, or where the Service selects one pod alone, the
// port that each has without the overlay as well.
func targetPort(x *plan.Exposed, node schema.Node) intstr.IntOrString {
	if x.Plan.PerNode() {
		return intstr.FromInt32(schema.ClientPort)
	}
	return intstr.FromString(node.PortName)
}

// serviceSpec is what all Services of a cluster have in common, one line a field:
// a new one of the block's is a line here.
func serviceSpec(x *plan.Exposed) corev1.ServiceSpec {
	access := x.Cluster.ExternalAccess
	return corev1.ServiceSpec{
		Type:                          corev1.ServiceType(x.Plan.ServiceType),
		SessionAffinity:               corev1.ServiceAffinityNone,
		ExternalTrafficPolicy:         externalTrafficPolicy(x),
		IPFamilyPolicy:                given(corev1.IPFamilyPolicy(access.IPFamilyPolicy)),
		LoadBalancerClass:             given(access.LoadBalancerClass),
		LoadBalancerSourceRanges:      access.LoadBalancerSourceRanges,
		AllocateLoadBalancerNodePorts: allocateNodePorts(x),
	}
}

// externalTrafficPolicy is refused by the API server on ClusterIP.
func externalTrafficPolicy(x *plan.Exposed) corev1.ServiceExternalTrafficPolicy {
	if x.Plan.ServiceType == schema.ClusterIP {
		return ""
	}
	policy := corev1.ServiceExternalTrafficPolicy(x.Cluster.ExternalAccess.ExternalTrafficPolicy)
	return cmp.Or(policy, corev1.ServiceExternalTrafficPolicyCluster)
}

// allocateNodePorts is true on a load balancer unless the block says otherwise: a
// constant of the API server.
func allocateNodePorts(x *plan.Exposed) *bool {
	choice := x.Cluster.ExternalAccess.AllocateLoadBalancerNodePorts
	if x.Plan.ServiceType == schema.LoadBalancer && choice == nil {
		return new(true)
	}
	return choice
}

// given is nil for "": the field is left out.
func given[T ~string](value T) *T {
	if value == "" {
		return nil
	}
	return &value
}
