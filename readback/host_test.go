package readback

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// addressPlan is a plan of shards of 2 nodes that announce addresses.
func addressPlan(serviceType string, shards int) *schema.Plan {
	plan := planOf(serviceType, shards)
	plan.PreferredEndpointType = schema.PreferAddress
	for i := range plan.Nodes {
		plan.Nodes[i].Hostname = ""
	}
	return plan
}

// Of what a load balancer has, a name is announced before an IPv4 address, and never
// an IPv6 address; what may still come is waited for.
func TestAddressOfALoadBalancer(t *testing.T) {
	type ingress = corev1.LoadBalancerIngress
	for name, c := range map[string]struct {
		ingress  []ingress
		families []corev1.IPFamily
		want     string
		reason   string
		err      string
	}{
		"IPv4":                    {[]ingress{{IP: "192.0.2.1"}}, nil, "192.0.2.1", "", ""},
		"a name":                  {[]ingress{{Hostname: "lb.example.net"}}, nil, "lb.example.net", "", ""},
		"both in one":             {[]ingress{{IP: "192.0.2.1", Hostname: "lb.example.net"}}, nil, "lb.example.net", "", ""},
		"IPv4 first, then a name": {[]ingress{{IP: "192.0.2.1"}, {Hostname: "lb.example.net"}}, nil, "lb.example.net", "", ""},
		"IPv6 first, then IPv4":   {[]ingress{{IP: "2001:db8::1"}, {IP: "192.0.2.1"}}, nil, "192.0.2.1", "", ""},
		"IPv6 and a name":         {[]ingress{{IP: "2001:db8::1"}, {Hostname: "lb.example.net"}}, nil, "lb.example.net", "", ""},
		"two IPv4":                {[]ingress{{IP: "192.0.2.1"}, {IP: "192.0.2.2"}}, nil, "192.0.2.1", "", ""},
		"pending":                 {nil, nil, "", "", ""}, // withServices has said so
		"only IPv6": {[]ingress{{IP: "2001:db8::1"}}, []corev1.IPFamily{corev1.IPv6Protocol}, "", "",
			"service valkey-c-shard-0 has the address 2001:db8::1 and neither an IPv4 address nor a name: Valkey cannot announce an IPv6 address, because it has colons; " +
				"give it an IPv4 address or a name, or set domain and preferredEndpointType: hostname"},
		"IPv6 before IPv4": {[]ingress{{IP: "2001:db8::1"}}, []corev1.IPFamily{corev1.IPv6Protocol, corev1.IPv4Protocol}, "",
			"service valkey-c-shard-0 has no load balancer address yet but 2001:db8::1, which is no IPv4 address", ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := addressPlan(schema.LoadBalancer, 1)
			service := balanced(0, c.ingress...)
			service.Spec.IPFamilies = c.families
			services := []*corev1.Service{service}
			targets, _ := withServices(plan, plan.Nodes, services)
			targets, reasons, err := withAddresses(plan, targets, services, nil)
			if err != nil || c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("%v, not %q", err, c.err)
				}
				return
			}
			if want := slices.DeleteFunc([]string{c.reason}, func(r string) bool { return r == "" }); !slices.Equal(reasons, want) {
				t.Errorf("%q, not %q", reasons, want)
			}
			for _, target := range targets {
				if target.Address != c.want || announcementOf(plan, target).hostname != c.want {
					t.Errorf("%s is at %q", target.Name, target.Address)
				}
			}
		})
	}
}

// Each shard has its own, a given address stays, and a shard that is given up without
// an address, or with one that cannot be announced, is left out.
func TestAddressesOfAPlan(t *testing.T) {
	plan := addressPlan(schema.LoadBalancer, 3)
	for i := range plan.Nodes {
		plan.Nodes[i].Draining = plan.Nodes[i].Shard == 2
	}
	services := func(last ...corev1.LoadBalancerIngress) []*corev1.Service {
		return []*corev1.Service{
			balanced(0, corev1.LoadBalancerIngress{IP: "192.0.2.1"}), balanced(1, corev1.LoadBalancerIngress{IP: "192.0.2.2"}), balanced(2, last...),
		}
	}
	first := []string{"192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"}
	for name, c := range map[string]struct {
		services []*corev1.Service
		want     []string
	}{
		"all":            {services(corev1.LoadBalancerIngress{IP: "192.0.2.3"}), append(first, "192.0.2.3", "192.0.2.3")},
		"draining, none": {services(), first},
		"draining, IPv6": {services(corev1.LoadBalancerIngress{IP: "2001:db8::1"}), first},
		"draining, gone": {services()[:2], first},
	} {
		targets, reasons := withServices(plan, plan.Nodes, c.services)
		targets, more, err := withAddresses(plan, targets, c.services, nil)
		var got []string
		for _, target := range targets {
			got = append(got, target.Host())
		}
		if err != nil || len(reasons)+len(more) > 0 || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %q, %q, %v", name, got, reasons, more, err)
		}
	}

	given := addressPlan(schema.NodePort, 1)
	given.Nodes[0].Address, given.Nodes[1].Address = "203.0.113.7", "203.0.113.7"
	nodePorts := []*corev1.Service{serviceOf(0, 31000, 31001)}
	targets, _ := withServices(given, given.Nodes, nodePorts)
	targets, reasons, err := withAddresses(given, targets, nodePorts, nil)
	if err != nil || len(reasons) > 0 || targets[1].Host() != "203.0.113.7" {
		t.Errorf("%v, %q, %v", targets, reasons, err)
	}
}

// What a Gateway's status says, behind whose port nodes of all shards are.
func TestAddressOfAGateway(t *testing.T) {
	for name, c := range map[string]struct {
		gateway      *gateway
		want, reason string
		fails        bool
	}{
		"not asked":  {&gateway{name: "Gateway ns/g"}, "", "reading Gateway ns/g", false},
		"no address": {answered(t, `{}`), "", "Gateway ns/g has no address yet", false},
		"of a kind that is not known": {answered(t, `{"status":{"addresses":[{"type":"NamedAddress","value":"x"}]}}`), "",
			"Gateway ns/g has no address yet", false},
		"without type": {answered(t, `{"status":{"addresses":[{"value":"192.0.2.1"}]}}`), "192.0.2.1", "", false},
		"a name wins": {answered(t, `{"status":{"addresses":[{"type":"IPAddress","value":"192.0.2.1"},{"type":"Hostname","value":"lb.example.net"}]}}`),
			"lb.example.net", "", false},
		"only IPv6": {answered(t, `{"status":{"addresses":[{"type":"IPAddress","value":"2001:db8::1"}]}}`), "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			plan := addressPlan(schema.ClusterIP, 2)
			plan.Gateway = true
			services := []*corev1.Service{serviceOf(0), serviceOf(1)}
			targets, _ := withServices(plan, plan.Nodes, services)
			targets, reasons, err := withAddresses(plan, targets, services, c.gateway)
			if (err != nil) != c.fails {
				t.Fatalf("%v", err)
			}
			if want := slices.DeleteFunc([]string{c.reason}, func(r string) bool { return r == "" }); !slices.Equal(reasons, want) {
				t.Errorf("%q, not %q", reasons, want)
			}
			for _, target := range targets {
				if target.Host() != c.want {
					t.Errorf("%s is at %q", target.Name, target.Host())
				}
			}
		})
	}
}

// answered is a Gateway that was read.
func answered(t *testing.T, text string) *gateway {
	t.Helper()
	entries, err := gatewayEntries([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &gateway{name: "Gateway ns/g", asked: true, entries: entries}
}

// For pods that start, the address is written down beside the port, whoever told it.
func TestRecordOfAddresses(t *testing.T) {
	plan := addressPlan(schema.LoadBalancer, 1)
	services := []*corev1.Service{balanced(0, corev1.LoadBalancerIngress{IP: "192.0.2.1"}, corev1.LoadBalancerIngress{Hostname: "lb.example.net"})}
	targets, _ := withServices(plan, plan.Nodes, services)
	targets, _, err := withAddresses(plan, targets, services, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := newRecord(plan, targets)
	if err != nil {
		t.Fatal(err)
	}
	var listed struct{ Nodes []nodeEndpoint }
	if err := json.Unmarshal([]byte(got.data["endpoints.json"]), &listed); err != nil {
		t.Fatal(err)
	}
	if want := (nodeEndpoint{Node: "c-0-1", Index: 1, Address: "lb.example.net", Port: 6380, Service: "valkey-c-shard-0"}); listed.Nodes[1] != want {
		t.Errorf("%v, not %v", listed.Nodes[1], want)
	}
	delete(got.data, "endpoints.json")
	if diff := cmp.Diff(map[string]string{
		"0-0.allocated.conf": "cluster-announce-hostname lb.example.net\ncluster-announce-client-port 6379\ncluster-preferred-endpoint-type hostname\n",
		"0-1.allocated.conf": "cluster-announce-hostname lb.example.net\ncluster-announce-client-port 6380\ncluster-preferred-endpoint-type hostname\n",
		"bootstrap":          "lb.example.net:6379,lb.example.net:6380",
	}, got.data); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]schema.ExternalEndpoint{{Address: "lb.example.net", Ports: []int{6379, 6380}}}, got.endpoints); diff != "" {
		t.Error(diff)
	}
}
