package schema

import (
	"cmp"
	"fmt"
	"strconv"
)

// Labels that the operator puts on the pods of a cluster. What is rendered for
// a cluster, a shard or a node carries them too.
const (
	ClusterLabel = "valkey.io/cluster"
	ShardLabel   = "valkey.io/shard-index"
	NodeLabel    = "valkey.io/node-index"

	// ComponentLabel is NodeComponent on the pods that are Valkey nodes.
	ComponentLabel = "app.kubernetes.io/component"
	NodeComponent  = "valkey-node"

	// ReadbackComponent is its value on what is rendered.
	ReadbackComponent = "external-access"
)

// OperatorUser is the Valkey user that the operator itself logs in with, and the
// key of its password in the operator's Secret.
const OperatorUser = "_operator"

// StaticFile and AllocatedFile are the keys of the two files of a node: what is known
// at the render, and what the read-back Job adds.
func StaticFile(n Node) string { return fmt.Sprintf("%d-%d.static.conf", n.Shard, n.Index) }

// AllocatedFile is the Job's. Valkey loads the files in the order of their names, and
// the last value wins: so that with "ip", the static file takes back what is left here.
func AllocatedFile(n Node) string { return fmt.Sprintf("%d-%d.allocated.conf", n.Shard, n.Index) }

// FilePattern is what of a folder a node includes: both its files, and nobody else's.
func FilePattern(shard, index string) string { return shard + "-" + index + ".*.conf" }

// PortPrefix begins the name of the container port that only node n of a shard has,
// and so of the Service port that leads to it.
const PortPrefix = "vk-n"

// PortName is that name.
func PortName(index int) string { return PortPrefix + strconv.Itoa(index) }

// EndpointsName is the name of the ConfigMap that the read-back Job fills.
func EndpointsName(cluster string) string { return "valkey-" + cluster + "-external-endpoints" }

// PlanName is the name of the ConfigMap that holds the Plan in force.
func PlanName(cluster string) string { return "valkey-" + cluster + "-readback-plan" }

// Keys of that ConfigMap: the Plan as JSON, and the name of the Job that carries
// it out, if one is rendered.
const (
	PlanKey = "plan.json"
	JobKey  = "job"
)

// ReadbackName is the name of what belongs to the read-back: its ServiceAccount,
// Role and CronJob; that of a Job goes on with a hyphen and a hash of JobHashLength.
func ReadbackName(cluster string) string { return "valkey-" + cluster + "-readback" }

// JobHashLength leaves 41 characters of a Job's 63 for the cluster's name. Of the
// hashes of two plans one in 33 million are the same.
const JobHashLength = 5

// PolicyName is the name of the MutatingAdmissionPolicy and of its binding; both
// are cluster-scoped, so the namespace is part of it.
func PolicyName(namespace, cluster string) string {
	return "valkey-expose." + namespace + "." + cluster
}

// PodName is the name of the one pod of a node's StatefulSet, as the operator has it.
func PodName(node string) string { return "valkey-" + node + "-0" }

// Of the pods that the operator makes.
const (
	// ServerContainer is Valkey's container.
	ServerContainer = "server"
	// Marker is an environment variable of it, there as long as external access is on.
	Marker = "VALKEY_EXPOSE"
)

// HeadlessName is the name of the operator's Service for the cluster bus.
func HeadlessName(cluster string) string { return "valkey-" + cluster }

// HeadlessHost is that Service's DNS name. The certificate of a cluster with TLS
// carries it: the operator verifies the nodes by it.
// The domain is that of the cluster's Services, "" for cluster.local.
func HeadlessHost(cluster, namespace, domain string) string {
	return fmt.Sprintf("%s.%s.svc.%s", HeadlessName(cluster), namespace, cmp.Or(domain, "cluster.local"))
}

// QualifiedName is an object's name as messages have it: with its namespace, if it
// has one.
func QualifiedName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
