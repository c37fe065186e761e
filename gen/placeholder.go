package gen

import (
	"strconv"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// shardAnnotations are the user's annotations for the Service of the shard that
// a node belongs to: the placeholders are filled in, and doubled braces single
// ones. The rules have seen to it that there is no other brace, and that where
// {hostname} is asked for there is one.
func (b *builder) shardAnnotations(node schema.Node) map[string]string {
	// At each place the first that fits counts: a doubled brace before a placeholder.
	replacer := strings.NewReplacer(
		"{{", "{",
		"}}", "}",
		"{cluster}", b.plan.Cluster,
		"{namespace}", b.plan.Namespace,
		"{shard}", strconv.Itoa(node.Shard),
		"{hostname}", node.Hostname,
	)
	filled := map[string]string{}
	for name, value := range b.cluster.ExternalAccess.ServiceAnnotations {
		filled[name] = replacer.Replace(value)
	}
	return filled
}
