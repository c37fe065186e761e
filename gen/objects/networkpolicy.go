package objects

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// NetworkPolicy lets the Job's pod reach what it needs: the cluster's nodes, DNS, and the
// API server, whose address is the cluster's affair: the Service's port and the
// usual one behind it. It selects no node: one that is selected
// takes in nothing but what a policy lets in.
func NetworkPolicy(x *plan.Exposed) *networkingv1.NetworkPolicy {
	port := func(protocol corev1.Protocol, number int) networkingv1.NetworkPolicyPort {
		return networkingv1.NetworkPolicyPort{Protocol: &protocol, Port: new(intstr.FromInt(number))}
	}
	return &networkingv1.NetworkPolicy{
		TypeMeta:   metadata.Type(networkingv1.SchemeGroupVersion.String(), "NetworkPolicy"),
		ObjectMeta: metadata.Namespaced(x, schema.ReadbackName(x.Plan.Cluster), metadata.Before(x)),
		Spec: networkingv1.NetworkPolicySpec{
			PodSelector: metav1.LabelSelector{MatchLabels: jobPodLabel(x)},
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeEgress},
			Egress: []networkingv1.NetworkPolicyEgressRule{
				{
					To: []networkingv1.NetworkPolicyPeer{{PodSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
						schema.ClusterLabel:   x.Plan.Cluster,
						schema.ComponentLabel: schema.NodeComponent,
					}}}},
					Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolTCP, schema.ClientPort)},
				},
				{Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolUDP, 53), port(corev1.ProtocolTCP, 53)}},
				{Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolTCP, 443), port(corev1.ProtocolTCP, 6443)}},
			},
		},
	}
}
