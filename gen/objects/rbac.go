package objects

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// RBAC renders the identity of the read-back Job and exactly the rights it
// uses. A list and a watch cannot be held to names; everything else is. There
// is no right on Secrets: what the Job needs of them is mounted.
func RBAC(x *plan.Exposed) []any {
	name := schema.ReadbackName(x.Plan.Cluster)
	account := &corev1.ServiceAccount{
		TypeMeta:   metadata.Type("v1", "ServiceAccount"),
		ObjectMeta: metadata.Namespaced(x, name, metadata.Before(x)),
	}
	role := &rbacv1.Role{
		TypeMeta:   metadata.Type(rbacv1.SchemeGroupVersion.String(), "Role"),
		ObjectMeta: metadata.Namespaced(x, name, metadata.Before(x)),
		Rules: []rbacv1.PolicyRule{
			{
				APIGroups: []string{""},
				Resources: []string{"services", "pods"},
				Verbs:     []string{"list", "watch"},
			},
			{
				APIGroups:     []string{""},
				Resources:     []string{"configmaps"},
				ResourceNames: []string{schema.EndpointsName(x.Plan.Cluster)},
				Verbs:         []string{"patch"},
			},
			{
				APIGroups:     []string{""},
				Resources:     []string{"configmaps"},
				ResourceNames: []string{schema.PlanName(x.Plan.Cluster)},
				Verbs:         []string{"get", "list", "watch"},
			},
			{
				// Jobs of earlier Plans, whose names nobody knows here.
				APIGroups: []string{batchv1.GroupName},
				Resources: []string{"jobs"},
				Verbs:     []string{"list", "watch", "delete"},
			},
			{
				APIGroups:     []string{schema.Group},
				Resources:     []string{"valkeyclusters/status"},
				ResourceNames: []string{x.Plan.Cluster},
				Verbs:         []string{"patch"},
			},
		},
	}
	if x.Plan.AsksGateway() {
		role.Rules = append(role.Rules, rbacv1.PolicyRule{
			APIGroups:     []string{gatewayv1.GroupName},
			Resources:     []string{"gateways"},
			ResourceNames: []string{x.Plan.GatewayRef.Name},
			Verbs:         []string{"get"},
		})
	}
	if x.Plan.Evicts() {
		role.Rules = append(role.Rules, eviction(x))
	}
	binding := &rbacv1.RoleBinding{
		TypeMeta:   metadata.Type(rbacv1.SchemeGroupVersion.String(), "RoleBinding"),
		ObjectMeta: metadata.Namespaced(x, name, metadata.Before(x)),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: x.Plan.Namespace}},
	}
	return []any{account, role, binding}
}

// eviction is the right to evict the cluster's pods, for those that were created
// before the policy was in force. The pods of a StatefulSet have names that are
// known; those of a Deployment have not, and a right cannot be held to labels.
func eviction(x *plan.Exposed) rbacv1.PolicyRule {
	rule := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods/eviction"}, Verbs: []string{"create"}}
	if x.Cluster.WorkloadType == "Deployment" {
		return rule
	}
	for _, n := range x.Plan.Nodes {
		if !n.Draining { // those hand over all they have, and go by themselves
			rule.ResourceNames = append(rule.ResourceNames, schema.PodName(n.Name))
		}
	}
	return rule
}
