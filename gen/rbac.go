package gen

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// rbac renders the identity of the read-back Job and exactly the rights it
// uses. A list and a watch cannot be held to names; everything else is. There
// is no right on Secrets: what the Job needs of them is mounted.
func (b *builder) rbac() []any {
	name := schema.ReadbackName(b.cluster.Name)
	account := &corev1.ServiceAccount{
		TypeMeta:   typeMeta("v1", "ServiceAccount"),
		ObjectMeta: b.meta(name, nil),
	}
	role := &rbacv1.Role{
		TypeMeta:   typeMeta(rbacv1.SchemeGroupVersion.String(), "Role"),
		ObjectMeta: b.meta(name, nil),
		Rules: []rbacv1.PolicyRule{
			{
				APIGroups: []string{""},
				Resources: []string{"services", "pods"},
				Verbs:     []string{"list", "watch"},
			},
			{
				APIGroups:     []string{""},
				Resources:     []string{"configmaps"},
				ResourceNames: []string{schema.EndpointsName(b.cluster.Name)},
				Verbs:         []string{"patch"},
			},
			{
				APIGroups:     []string{""},
				Resources:     []string{"configmaps"},
				ResourceNames: []string{schema.PlanName(b.cluster.Name)},
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
				ResourceNames: []string{b.cluster.Name},
				Verbs:         []string{"patch"},
			},
		},
	}
	if b.options.Inject == InjectAdmission {
		role.Rules = append(role.Rules, b.eviction())
	}
	binding := &rbacv1.RoleBinding{
		TypeMeta:   typeMeta(rbacv1.SchemeGroupVersion.String(), "RoleBinding"),
		ObjectMeta: b.meta(name, nil),
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: b.plan.Namespace}},
	}
	annotate(account, b.gitops.before)
	annotate(role, b.gitops.before)
	annotate(binding, b.gitops.before)
	return []any{account, role, binding}
}

// eviction is the right to evict the cluster's pods, for those that were created
// before the policy was in force. The pods of a StatefulSet have names that are
// known; those of a Deployment have not, and a right cannot be held to labels.
func (b *builder) eviction() rbacv1.PolicyRule {
	rule := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods/eviction"}, Verbs: []string{"create"}}
	if b.cluster.WorkloadType == "Deployment" {
		return rule
	}
	for _, n := range b.plan.Nodes {
		if !n.Draining { // those hand over all they have, and go by themselves
			rule.ResourceNames = append(rule.ResourceNames, fmt.Sprintf("valkey-%s-0", n.Name))
		}
	}
	return rule
}
