package printers

import (
	"fmt"
	"io"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// RulesCorefile writes lines for the server block of CoreDNS that has the plugin
// kubernetes. Their place in it does not matter: CoreDNS rewrites before it answers.
func RulesCorefile(w io.Writer, clusters []*plan.Exposed) error {
	for _, x := range clusters {
		if _, err := io.WriteString(w, coreRule(x)); err != nil {
			return err
		}
	}
	return nil
}

// coreRule is the rule of one cluster. "stop" and "auto": no other rule is tried, and
// the answer has the name that was asked for (CoreDNS, plugin rewrite).
func coreRule(x *plan.Exposed) string {
	rule, _ := plan.RewriteOf(x) // the command's check has seen to it
	return fmt.Sprintf("# ValkeyCluster %s: announced names, for clients inside\nrewrite stop name regex %s %s answer auto\n",
		schema.QualifiedName(x.Plan.Namespace, x.Plan.Cluster), rule.Pattern, rule.Target)
}
