package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestPlanText: the Job reads what was worked out, and a diff shows one node a line.
func TestPlanText(t *testing.T) {
	for _, shards := range []int{1, 3} {
		x := Of(&schema.Cluster{
			Name: "orders", Namespace: "shop", Shards: shards, Replicas: 1, TLS: &schema.TLS{SecretName: "s"},
			ExternalAccess: &schema.ExternalAccess{Enabled: true, Domain: "example.com", Gateway: &schema.Gateway{BasePort: 30000}},
		}, Defaults())
		read, err := schema.ParsePlan([]byte(x.Text))
		if err != nil {
			t.Fatalf("%v\n%s", err, x.Text)
		}
		if diff := cmp.Diff(&x.Plan, read); diff != "" {
			t.Errorf("-plan +read:\n%s", diff)
		}
		lines := strings.Split(strings.TrimSuffix(x.Text, "\n"), "\n")
		if len(lines) != 2*shards+2 || !strings.Contains(lines[2], "orders-0-1") {
			t.Errorf("%d lines:\n%s", len(lines), x.Text)
		}
	}
}

// TestPorts: known ports are in the Plan, those that Kubernetes allocates are not,
// and behind a Gateway no node of another shard has a node's port.
func TestPorts(t *testing.T) {
	for name, test := range map[string]struct {
		access schema.ExternalAccess
		want   []int
	}{
		"node ports":             {schema.ExternalAccess{}, []int{0, 0, 0, 0}},
		"load balancers":         {schema.ExternalAccess{ServiceType: schema.LoadBalancer}, []int{6379, 6380, 6379, 6380}},
		"a load balancer a node": {schema.ExternalAccess{ServiceType: schema.LoadBalancer, ServiceScope: schema.ScopeNode}, []int{6379, 6379, 6379, 6379}},
		"a Gateway":              {schema.ExternalAccess{Gateway: &schema.Gateway{BasePort: 30000}}, []int{30000, 30001, 30002, 30003}},
		"a shard that is emptied": {
			schema.ExternalAccess{ServedShards: 3, Gateway: &schema.Gateway{BasePort: 1}}, []int{1, 2, 3, 4, 5, 6},
		},
	} {
		p := New(&schema.Cluster{Name: "c", Shards: 2, Replicas: 1, ExternalAccess: &test.access}, Defaults())
		var got []int
		for _, n := range p.Nodes {
			got = append(got, n.Port)
			if n.Draining != (n.Shard > 1) {
				t.Errorf("%s: %s is draining: %v", name, n.Name, n.Draining)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// TestServiceScope: a node has its Service and its hostname with others of its
// shard, or alone; the certificate carries each name once.
func TestServiceScope(t *testing.T) {
	for scope, want := range map[string]string{
		"":                "valkey-c-shard-0 shard-0.example.com|valkey-c-shard-0 shard-0.example.com|valkey-c-shard-1 shard-1.example.com|valkey-c-shard-1 shard-1.example.com|shard-0.example.com shard-1.example.com",
		schema.ScopeShard: "valkey-c-shard-0 shard-0.example.com|valkey-c-shard-0 shard-0.example.com|valkey-c-shard-1 shard-1.example.com|valkey-c-shard-1 shard-1.example.com|shard-0.example.com shard-1.example.com",
		schema.ScopeNode:  "valkey-c-0-0 shard-0-0.example.com|valkey-c-0-1 shard-0-1.example.com|valkey-c-1-0 shard-1-0.example.com|valkey-c-1-1 shard-1-1.example.com|shard-0-0.example.com shard-0-1.example.com shard-1-0.example.com shard-1-1.example.com",
	} {
		p := New(&schema.Cluster{Name: "c", Shards: 2, Replicas: 1, ExternalAccess: &schema.ExternalAccess{ServiceScope: scope, Domain: "example.com"}}, Defaults())
		var got []string
		for _, n := range p.Nodes {
			got = append(got, n.Service+" "+n.Hostname)
		}
		got = append(got, strings.Join(CertificateNames(p)[1:], " "))
		if diff := cmp.Diff(strings.Split(want, "|"), got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", scope, diff)
		}
	}
}
