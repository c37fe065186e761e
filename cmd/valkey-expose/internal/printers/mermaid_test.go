package printers

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// planOf has two nodes a shard, behind a Service a shard.
func planOf(shards int) schema.Plan {
	plan := schema.Plan{Cluster: "orders", Namespace: "shop", ServiceType: schema.NodePort}
	for i := range 2 * shards {
		plan.Nodes = append(plan.Nodes, schema.Node{
			Shard: i / 2, Index: i % 2, Name: fmt.Sprintf("orders-%d-%d", i/2, i%2),
			Service: fmt.Sprintf("valkey-orders-shard-%d", i/2), ServicePort: 6379 + i%2, Port: 30000 + i,
		})
	}
	return plan
}

var (
	mermaidNode = regexp.MustCompile(`(\w+)[(\[]+"([^"]*)"[)\]]+`)
	mermaidEdge = regexp.MustCompile(`(\w+) -->(?:\|(\d+)\|)? (.+)`)
)

// TestMermaidLeadsToEveryNode follows the arrows: from the client, each node is
// reached by its own port alone, through its Service.
func TestMermaidLeadsToEveryNode(t *testing.T) {
	plans := []schema.Plan{planOf(2), planOf(1)}
	plans[1].Cluster = "carts" // whose names are those of orders: two namespaces may have them
	var out bytes.Buffer
	if err := EndpointsMermaid(&out, plans); err != nil {
		t.Fatal(err)
	}
	label, next := map[string]string{}, map[string][]string{}
	port := map[string]string{}
	for line := range strings.Lines(out.String()) {
		for _, m := range mermaidNode.FindAllStringSubmatch(line, -1) {
			if _, twice := label[m[1]]; twice {
				t.Errorf("%s is drawn twice, or %s stands for two", m[2], m[1])
			}
			label[m[1]] = m[2]
		}
		m := mermaidEdge.FindStringSubmatch(mermaidNode.ReplaceAllString(line, "$1"))
		if m == nil {
			continue
		}
		for _, to := range strings.Split(m[3], " & ") {
			next[m[1]] = append(next[m[1]], to)
			port[to] = m[2]
		}
	}
	nodes := 0
	for _, plan := range plans {
		for _, n := range plan.Nodes {
			entry := next["client"][nodes]
			nodes++
			if want := fmt.Sprintf("address of any machine:%d", n.Port); label[entry] != want {
				t.Errorf("%s is reached by %q, want %q", n.Name, label[entry], want)
			}
			service := next[entry][0]
			if !strings.HasPrefix(label[service], "Service "+n.Service+"<br/>") {
				t.Errorf("%s is behind %q", n.Name, label[service])
			}
			at := next[service][n.Index]
			if label[at] != n.Name+"<br/>"+n.Role()+" at creation" || port[at] != fmt.Sprint(n.ServicePort) {
				t.Errorf("port %s leads to %q, want %d to %s", port[at], label[at], n.ServicePort, n.Name)
			}
		}
	}
	if len(next["client"]) != nodes {
		t.Errorf("%d ways in to %d nodes", len(next["client"]), nodes)
	}
}

// TestMermaidIsDrawn: more arrows than code hosts draw are refused, with what lists
// the nodes instead; one node fewer is drawn.
func TestMermaidIsDrawn(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(84)
	plan.Nodes = plan.Nodes[:167]
	if err := EndpointsMermaid(&out, []schema.Plan{plan}); err == nil || out.Len() > 0 || !strings.Contains(err.Error(), "--format markdown") {
		t.Errorf("%d bytes for 501 arrows: %v", out.Len(), err)
	}
	plan.Nodes = plan.Nodes[:166]
	if err := EndpointsMermaid(&out, []schema.Plan{plan}); err != nil || strings.Count(out.String(), "-->") != 2*166+1 {
		t.Errorf("498 arrows: %v", err)
	}
}
