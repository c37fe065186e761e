package objects

import (
	"strconv"
	"strings"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// ShardAnnotations are the user's annotations for the Service of the shard that
// a node belongs to: the placeholders are filled in, and doubled braces single
// ones. The rules have seen to it that there is no other brace, and that where
// {hostname} is asked for there is one.
func ShardAnnotations(x *plan.Exposed, node schema.Node) map[string]string {
	// At each place the first that fits counts: a doubled brace before a placeholder.
	replacer := strings.NewReplacer(
		"{{", "{",
		"}}", "}",
		"{cluster}", x.Plan.Cluster,
		"{namespace}", x.Plan.Namespace,
		"{shard}", strconv.Itoa(node.Shard),
		"{hostname}", node.Hostname,
	)
	filled := map[string]string{}
	for name, value := range x.Cluster.ExternalAccess.ServiceAnnotations {
		filled[name] = replacer.Replace(value)
	}
	return filled
}
