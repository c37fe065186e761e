package gen

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// rbac renders the identity of the read-back Job and exactly the rights it
// uses. A list and a watch cannot be held to names; everything else is. There
// is no right on Secrets: what the Job needs of them is mounted.
func (b *builder) rbac() []any {
	name := readbackName(b.cluster.Name)
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
				APIGroups:     []string{schema.Group},
				Resources:     []string{"valkeyclusters/status"},
				ResourceNames: []string{b.cluster.Name},
				Verbs:         []string{"patch"},
			},
		},
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
