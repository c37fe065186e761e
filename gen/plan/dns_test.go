package plan

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestOneRuleLeadsEveryName: whatever the prefix, the domain and the cluster are called,
// the rule leads each name to the Service that has its ports, and no other name.
func TestOneRuleLeadsEveryName(t *testing.T) {
	for _, prefix := range []string{"", "shard-0", "a-1-1", "0"} {
		for _, cluster := range []string{"orders", "c-0", "0"} {
			for _, scope := range []string{"", schema.ScopeNode} {
				for _, replicas := range []int{0, 1} {
					for _, behind := range []*schema.Gateway{nil, {BasePort: 30000}} {
						x := Of(&schema.Cluster{Name: cluster, Namespace: "shop", Shards: 12, Replicas: replicas, ExternalAccess: &schema.ExternalAccess{
							ServiceType: schema.LoadBalancer, ServiceScope: scope, HostnamePrefix: prefix, Domain: "a.b-c.example.com", SplitHorizon: true, Gateway: behind,
						}}, Defaults())
						rule, ok := RewriteOf(x)
						if !ok {
							t.Errorf("no rule for %q, %s", prefix, cluster)
							continue
						}
						pattern := regexp.MustCompile(rule.Pattern)
						for _, name := range Names(&x.Plan) {
							want := ServiceHost(x, Inside(&x.Plan, name.Nodes[0]))
							for _, asked := range []string{name.Hostname, name.Hostname + "."} {
								if got := answer(pattern, rule.Target, asked); got != want {
									t.Errorf("%s leads to %q, want %q", asked, got, want)
								}
							}
						}
						for _, other := range []string{"x" + Names(&x.Plan)[0].Hostname, Names(&x.Plan)[0].Hostname + ".shop.svc.cluster.local.", strings.Replace(Names(&x.Plan)[0].Hostname, ".", "x", 2)} {
							if pattern.MatchString(other) {
								t.Errorf("%s is led away by %s", other, rule.Pattern)
							}
						}
					}
				}
			}
		}
	}
}

// answer puts what the groups matched into the target, as CoreDNS does.
func answer(pattern *regexp.Regexp, target, name string) string {
	groups := pattern.FindStringSubmatch(name)
	if groups == nil {
		return ""
	}
	for i, group := range groups {
		target = strings.ReplaceAll(target, fmt.Sprintf("{%d}", i), group)
	}
	return target
}

// TestNoRuleWithoutAService: node ports, and a name whose nodes are behind several
// Services, have none.
func TestNoRuleWithoutAService(t *testing.T) {
	c := &schema.Cluster{Name: "orders", Namespace: "shop", Shards: 2, ExternalAccess: &schema.ExternalAccess{Domain: "example.com"}}
	if rule, ok := RewriteOf(Of(c, Defaults())); ok {
		t.Errorf("node ports: %v", rule)
	}
	c.ExternalAccess.ServiceType = schema.LoadBalancer
	x := Of(c, Defaults())
	x.Plan.Nodes[1].Hostname = x.Plan.Nodes[0].Hostname
	if rule, ok := RewriteOf(x); ok {
		t.Errorf("one name for two Services: %v", rule)
	}
	for i := range x.Plan.Nodes {
		x.Plan.Nodes[i].Hostname = "203.0.113.7"
	}
	if names := Names(&x.Plan); len(names) > 0 {
		t.Errorf("an address is a name: %v", names)
	}
}
