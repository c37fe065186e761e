package objects

import (
	"strconv"
	"strings"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// ServiceAnnotations are the user's annotations for the Service of a node, the
// first of its shard where the Service is for all of them: the placeholders are filled in, and doubled braces single
// ones. The rules have seen to it that there is no other brace, and that where
// {hostname} or {node} is asked for there is one.
func ServiceAnnotations(x *plan.Exposed, node schema.Node) map[string]string {
	// At each place the first that fits counts: a doubled brace before a placeholder.
	replacer := strings.NewReplacer(
		"{{", "{",
		"}}", "}",
		"{cluster}", x.Plan.Cluster,
		"{namespace}", x.Plan.Namespace,
		"{shard}", strconv.Itoa(node.Shard),
		"{node}", strconv.Itoa(node.Index),
		"{hostname}", node.Hostname,
	)
	filled := map[string]string{}
	for name, value := range x.Cluster.ExternalAccess.ServiceAnnotations {
		filled[name] = replacer.Replace(value)
	}
	return filled
}
