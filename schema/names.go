package schema

import "fmt"

// Labels that the operator puts on the pods of a cluster. What is rendered for
// a cluster, a shard or a node carries them too.
const (
	ClusterLabel = "valkey.io/cluster"
	ShardLabel   = "valkey.io/shard-index"
	NodeLabel    = "valkey.io/node-index"

	// ComponentLabel is NodeComponent on the pods that are Valkey nodes.
	ComponentLabel = "app.kubernetes.io/component"
	NodeComponent  = "valkey-node"
)

// OperatorUser is the Valkey user that the operator itself logs in with, and the
// key of its password in the operator's Secret.
const OperatorUser = "_operator"

// EndpointsName is the name of the ConfigMap that the read-back Job fills.
func EndpointsName(cluster string) string { return "valkey-" + cluster + "-external-endpoints" }

// HeadlessName is the name of the operator's Service for the cluster bus.
func HeadlessName(cluster string) string { return "valkey-" + cluster }

// HeadlessHost is that Service's DNS name. The certificate of a cluster with TLS
// carries it: the operator verifies the nodes by it.
func HeadlessHost(cluster, namespace string) string {
	return fmt.Sprintf("%s.%s.svc.cluster.local", HeadlessName(cluster), namespace)
}
