package readback

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

func TestParsePlan(t *testing.T) {
	good := schema.Plan{Version: schema.PlanVersion, Cluster: "orders", Namespace: "shop", PreferredEndpointType: schema.PreferIP, Nodes: []schema.Node{
		{Shard: 0, Index: 0}, {Shard: 0, Index: 1}, {Shard: 1, Index: 0}, {Shard: 1, Index: 1},
	}}
	for name, c := range map[string]struct {
		change func(*schema.Plan)
		want   string // in the error; "": none
	}{
		"good":           {func(*schema.Plan) {}, ""},
		"version":        {func(p *schema.Plan) { p.Version = 3 }, "version 3"},
		"no version":     {func(p *schema.Plan) { p.Version = 0 }, "version 0"},
		"cluster":        {func(p *schema.Plan) { p.Cluster = "" }, "names no cluster"},
		"namespace":      {func(p *schema.Plan) { p.Namespace = "other" }, `for namespace "other", but this is "shop"`},
		"endpoint type":  {func(p *schema.Plan) { p.PreferredEndpointType = "nickname" }, `endpoint type "nickname"`},
		"no Gateway":     {func(p *schema.Plan) { p.Gateway = true }, "names no Gateway"},
		"no nodes":       {func(p *schema.Plan) { p.Nodes = nil }, "no nodes"},
		"shard missing":  {func(p *schema.Plan) { p.Nodes = append(p.Nodes, schema.Node{Shard: 3}) }, "node 3-0 where 1-2 belongs"},
		"node missing":   {func(p *schema.Plan) { p.Nodes = append(p.Nodes, schema.Node{Shard: 2, Index: 1}) }, "node 2-1 where 2-0 belongs"},
		"begins at 1":    {func(p *schema.Plan) { p.Nodes = p.Nodes[2:] }, "node 1-0 where 0-0 belongs"},
		"node twice":     {func(p *schema.Plan) { p.Nodes = append(p.Nodes, p.Nodes[3]) }, "node 1-1 where 1-2 belongs"},
		"another shape":  {func(p *schema.Plan) { p.Nodes = p.Nodes[:3] }, ""}, // shards may differ in size
		"one node alone": {func(p *schema.Plan) { p.Nodes = p.Nodes[:1] }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := good
			plan.Nodes = append([]schema.Node(nil), good.Nodes...)
			c.change(&plan)
			text, err := json.Marshal(plan)
			if err != nil {
				t.Fatal(err)
			}
			switch got, err := ParsePlan(text, "shop"); {
			case c.want == "" && (err != nil || len(got.Nodes) != len(plan.Nodes)):
				t.Errorf("%v, %v", got, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
	if _, err := ParsePlan([]byte("{"), "shop"); err == nil {
		t.Error("half a plan is read")
	}
	// A newer plan may have fields of other types: what is said is its version.
	if _, err := ParsePlan([]byte(`{"version":3,"nodes":{}}`), "shop"); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Errorf("a plan of other types: %v", err)
	}
}
