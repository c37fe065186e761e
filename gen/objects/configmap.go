package objects

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
)

// configMap is a ConfigMap of the cluster, without data.
func configMap(x *plan.Exposed, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metadata.Type("v1", "ConfigMap"),
		ObjectMeta: metadata.Namespaced(x, name, metadata.Before(x)),
	}
}
