package objects

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Endpoints renders the ConfigMap that the Job fills. It has no data, not even
// an empty map, so that applying it again takes nothing away, and it is pruned
// with the rest.
func Endpoints(x *plan.Exposed) *corev1.ConfigMap {
	return configMap(x, schema.EndpointsName(x.Plan.Cluster))
}
