package readback

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

func TestRecordOfNodePorts(t *testing.T) {
	plan := planOf(schema.NodePort, 2)
	plan.TLS = true
	targets, reasons := withServices(plan, plan.Nodes, []*corev1.Service{serviceOf(0, 31000, 31001), serviceOf(1, 31002, 31003)})
	if len(reasons) > 0 {
		t.Fatal(reasons)
	}
	got, err := newRecord(plan, targets)
	if err != nil {
		t.Fatal(err)
	}
	var listed struct{ Nodes []nodeEndpoint }
	if err := json.Unmarshal([]byte(got.data["endpoints.json"]), &listed); err != nil || len(listed.Nodes) != 4 {
		t.Errorf("endpoints.json: %v\n%s", err, got.data["endpoints.json"])
	}
	if want := (nodeEndpoint{Node: "c-1-0", Shard: 1, Hostname: "shard-1.example.com", Port: 31002, Service: "valkey-c-shard-1"}); listed.Nodes[2] != want {
		t.Errorf("%v, not %v", listed.Nodes[2], want)
	}
	delete(got.data, "endpoints.json")
	const hostname = "\ncluster-preferred-endpoint-type hostname\n"
	if diff := cmp.Diff(map[string]string{
		"0-0.allocated.conf": "cluster-announce-client-tls-port 31000" + hostname,
		"0-1.allocated.conf": "cluster-announce-client-tls-port 31001" + hostname,
		"1-0.allocated.conf": "cluster-announce-client-tls-port 31002" + hostname,
		"1-1.allocated.conf": "cluster-announce-client-tls-port 31003" + hostname,
		"bootstrap":          "shard-0.example.com:31000,shard-0.example.com:31001,shard-1.example.com:31002,shard-1.example.com:31003",
	}, got.data); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]schema.ExternalEndpoint{
		{ShardIndex: 0, NodePorts: []int{31000, 31001}, Hostname: "shard-0.example.com", Ports: []int{31000, 31001}},
		{ShardIndex: 1, NodePorts: []int{31002, 31003}, Hostname: "shard-1.example.com", Ports: []int{31002, 31003}},
	}, got.endpoints); diff != "" {
		t.Error(diff)
	}
}

// With ip there is nothing to allocate; without a hostname clients dial the load
// balancer, an IPv6 address in brackets.
func TestRecordWithoutHostnames(t *testing.T) {
	plan := planOf(schema.LoadBalancer, 1)
	plan.PreferredEndpointType = schema.PreferIP
	for i := range plan.Nodes {
		plan.Nodes[i].Hostname = ""
	}
	targets, _ := withServices(plan, plan.Nodes, []*corev1.Service{balanced(0, corev1.LoadBalancerIngress{IP: "2001:db8::1"})})
	got, err := newRecord(plan, targets)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.data) != 2 || got.data["bootstrap"] != "[2001:db8::1]:6379,[2001:db8::1]:6380" {
		t.Errorf("%v", got.data)
	}
	if diff := cmp.Diff([]schema.ExternalEndpoint{{Address: "2001:db8::1", Ports: []int{6379, 6380}}}, got.endpoints); diff != "" {
		t.Error(diff)
	}
}

// With a Service a node, each node has its own address and hostname.
func TestRecordOfServicesOfNodes(t *testing.T) {
	plan := planOf(schema.LoadBalancer, 1)
	plan.ServiceScope = schema.ScopeNode
	var services []*corev1.Service
	for i := range plan.Nodes {
		n := &plan.Nodes[i]
		n.Service, n.ServicePort, n.Port = "valkey-"+n.Name, 6379, 6379
		n.Hostname = n.Name + ".example.com"
		service := balanced(0, corev1.LoadBalancerIngress{IP: []string{"192.0.2.1", "192.0.2.2"}[i]})
		service.Name = n.Service
		services = append(services, service)
	}
	targets, reasons := withServices(plan, plan.Nodes, services)
	if len(reasons) > 0 {
		t.Fatal(reasons)
	}
	got, err := newRecord(plan, targets)
	if err != nil {
		t.Fatal(err)
	}
	if want := "c-0-0.example.com:6379,c-0-1.example.com:6379"; got.data["bootstrap"] != want {
		t.Errorf("bootstrap %q", got.data["bootstrap"])
	}
	if diff := cmp.Diff([]schema.ExternalEndpoint{{
		Hostnames: []string{"c-0-0.example.com", "c-0-1.example.com"}, Addresses: []string{"192.0.2.1", "192.0.2.2"}, Ports: []int{6379, 6379},
	}}, got.endpoints); diff != "" {
		t.Error(diff)
	}
}
