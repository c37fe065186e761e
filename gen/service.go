package gen

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/valkey-expose/valkey-expose/schema"
)

// services renders one Service a shard, with one port a node.
//
// A port's target is a container port by name, and only one pod of the shard
// has that name: so every Service port has exactly one endpoint. There is never
// a nodePort: Kubernetes allocates it, and applying again must not clear it.
func (b *builder) services() []any {
	access := b.cluster.ExternalAccess
	perShard := b.cluster.NodesPerShard()
	var all []any
	for shard := range len(b.plan.Nodes) / perShard {
		nodes := b.plan.Nodes[shard*perShard : (shard+1)*perShard]
		service := &corev1.Service{
			TypeMeta:   typeMeta("v1", "Service"),
			ObjectMeta: b.meta(nodes[0].Service, merged(access.ServiceLabels, shardLabels(shard))),
			Spec: corev1.ServiceSpec{
				Type:            corev1.ServiceType(b.plan.ServiceType),
				SessionAffinity: corev1.ServiceAffinityNone,
				Selector: map[string]string{
					schema.ClusterLabel: b.cluster.Name,
					schema.ShardLabel:   shardLabels(shard)[schema.ShardLabel],
				},
			},
		}
		if b.plan.ServiceType != schema.ClusterIP {
			policy := cmp.Or(access.ExternalTrafficPolicy, string(corev1.ServiceExternalTrafficPolicyCluster))
			service.Spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicy(policy)
		}
		if policy := access.IPFamilyPolicy; policy != "" {
			service.Spec.IPFamilyPolicy = (*corev1.IPFamilyPolicy)(&policy)
		}
		if class := access.LoadBalancerClass; class != "" {
			service.Spec.LoadBalancerClass = &class
		}
		service.Spec.LoadBalancerSourceRanges = access.LoadBalancerSourceRanges
		service.Spec.AllocateLoadBalancerNodePorts = access.AllocateLoadBalancerNodePorts
		if b.plan.ServiceType == schema.LoadBalancer && access.AllocateLoadBalancerNodePorts == nil {
			service.Spec.AllocateLoadBalancerNodePorts = new(true)
		}
		for _, node := range nodes {
			service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{
				Name:       node.PortName,
				Protocol:   corev1.ProtocolTCP,
				Port:       int32(node.ServicePort),
				TargetPort: intstr.FromString(node.PortName),
			})
		}
		annotate(service, b.gitops.after)
		annotate(service, b.shardAnnotations(nodes[0]))
		all = append(all, service)
	}
	return all
}
