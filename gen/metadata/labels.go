package metadata

import (
	"maps"
	"strconv"

	"github.com/valkey-expose/valkey-expose/schema"
)

// CommonLabels are on everything rendered, and on the Job's pod without that of the
// cluster, which would make the pod a seed address of the headless
// Service and count in the PodDisruptionBudget. Never managed-by:
// valkey-operator, for the operator deletes what carries it; never
// app.kubernetes.io/instance, by which Argo CD tracks.
func CommonLabels() map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "valkey",
		schema.ComponentLabel:          schema.ReadbackComponent,
		"app.kubernetes.io/part-of":    "valkey",
		"app.kubernetes.io/managed-by": "valkey-expose",
	}
}

// ClusterLabels are those of a cluster's objects.
func ClusterLabels(cluster string) map[string]string {
	all := CommonLabels()
	all[schema.ClusterLabel] = cluster
	return all
}

// ShardLabels are added for what belongs to a shard.
func ShardLabels(shard int) map[string]string {
	return map[string]string{schema.ShardLabel: strconv.Itoa(shard)}
}

// NodeLabels are added for what belongs to a node.
func NodeLabels(node schema.Node) map[string]string {
	return Merged(ShardLabels(node.Shard), map[string]string{schema.NodeLabel: strconv.Itoa(node.Index)})
}

// Merged is a new map of both; the second wins.
func Merged(a, b map[string]string) map[string]string {
	all := make(map[string]string, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}
