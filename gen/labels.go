package gen

import (
	"maps"
	"strconv"
)

// Labels the operator puts on its pods, which Services and policy select by.
const (
	clusterLabel = "valkey.io/cluster"
	shardLabel   = "valkey.io/shard-index"
	nodeLabel    = "valkey.io/node-index"
)

// commonLabels are on everything rendered, and alone on the Job's pod: the
// cluster's label there would make the pod a seed address of the headless
// Service and count in the PodDisruptionBudget. Never managed-by:
// valkey-operator, for the operator deletes what carries it; never
// app.kubernetes.io/instance, by which Argo CD tracks.
func commonLabels() map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "valkey",
		"app.kubernetes.io/component":  "external-access",
		"app.kubernetes.io/part-of":    "valkey",
		"app.kubernetes.io/managed-by": "valkey-expose",
	}
}

// labels are those of a cluster's objects, with what is added for a shard or node.
func labels(cluster string, added map[string]string) map[string]string {
	all := commonLabels()
	all[clusterLabel] = cluster
	maps.Copy(all, added)
	return all
}

func shardLabels(shard int) map[string]string {
	return map[string]string{shardLabel: strconv.Itoa(shard)}
}
