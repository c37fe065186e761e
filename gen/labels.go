package gen

import (
	"maps"
	"strconv"

	"github.com/valkey-expose/valkey-expose/schema"
)

// commonLabels are on everything rendered, and on the Job's pod without that of the
// cluster, which would make the pod a seed address of the headless
// Service and count in the PodDisruptionBudget. Never managed-by:
// valkey-operator, for the operator deletes what carries it; never
// app.kubernetes.io/instance, by which Argo CD tracks.
func commonLabels() map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "valkey",
		schema.ComponentLabel:          schema.ReadbackComponent,
		"app.kubernetes.io/part-of":    "valkey",
		"app.kubernetes.io/managed-by": "valkey-expose",
	}
}

// readbackLabel tells the Job's pods of one cluster from those of another, for
// NetworkPolicies. It is nobody's prefix: the cluster's own label is not for them.
const readbackLabel = "valkey-readback"

func (b *builder) jobPodLabel() map[string]string {
	return map[string]string{readbackLabel: b.cluster.Name}
}

// labels are those of a cluster's objects, with what is added for a shard or node.
func labels(cluster string, added map[string]string) map[string]string {
	all := commonLabels()
	all[schema.ClusterLabel] = cluster
	maps.Copy(all, added)
	return all
}

func shardLabels(shard int) map[string]string {
	return map[string]string{schema.ShardLabel: strconv.Itoa(shard)}
}
