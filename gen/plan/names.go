package plan

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Names of the rendered objects, beside those in schema that the read-back Job
// knows as well. The operator names what it makes for a cluster valkey-<cluster>…,
// and so do we; the generator's check finds where the two meet. Kubernetes ends
// the names of Services and Jobs at 63 characters, and the rules hold the
// cluster's name to that; the others may have 253.

func serviceName(c *schema.Cluster, shard, node int) string {
	if c.ExternalAccess.PerNode() {
		return fmt.Sprintf("valkey-%s-%d-%d", c.Name, shard, node)
	}
	return fmt.Sprintf("valkey-%s-shard-%d", c.Name, shard)
}

// insideName is the Service that has the announced ports of a node, where those of
// its other Service are not the announced ones. There is one for each hostname.
func insideName(c *schema.Cluster, shard, node int) string {
	if c.ExternalAccess.PerNode() {
		return fmt.Sprintf("valkey-%s-inside-%d-%d", c.Name, shard, node)
	}
	return fmt.Sprintf("valkey-%s-inside-%d", c.Name, shard)
}

// RouteName is the name of a node's TCPRoute.
func RouteName(cluster string, shard, node int) string {
	return fmt.Sprintf("valkey-%s-%d-%d", cluster, shard, node)
}

// AnnounceName is the name of the ConfigMap with what each node announces as far
// as it is known at the render.
func AnnounceName(cluster string) string { return "valkey-" + cluster + "-announce" }

// Objects of the operator.

// PasswordsName is the operator's Secret with the passwords of its own users.
func PasswordsName(cluster string) string { return "internal-" + cluster + "-system-passwords" }

// nodeName is the operator's ValkeyNode.
func nodeName(cluster string, shard, node int) string {
	return fmt.Sprintf("%s-%d-%d", cluster, shard, node)
}
