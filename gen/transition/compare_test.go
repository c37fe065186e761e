package transition

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// exposure is a rendering of cluster shop/orders with 2 shards of 2 nodes, a
// load balancer each, that sends clients to hostnames.
func exposure(change func(*schema.Cluster)) *schema.Plan {
	c := &schema.Cluster{
		Name: "orders", Namespace: "shop", Shards: 2, Replicas: 1,
		ExternalAccess: &schema.ExternalAccess{
			Enabled: true, ServiceType: schema.LoadBalancer, Domain: "example.com", PreferredEndpointType: schema.PreferHostname,
		},
	}
	if change != nil {
		change(c)
	}
	p := plan.New(c, plan.Options{Inject: schema.InjectAdmission, Readback: schema.ReadbackJob})
	return &p
}

func noDomain(c *schema.Cluster) { c.ExternalAccess.Domain = "" }

// address sends clients to an address; "" is that of the load balancers or the Gateway.
func address(of string) func(*schema.Cluster) {
	return func(c *schema.Cluster) {
		noDomain(c)
		c.ExternalAccess.PreferredEndpointType, c.ExternalAccess.Address = schema.PreferAddress, of
	}
}

func prefersIP(c *schema.Cluster) { c.ExternalAccess.PreferredEndpointType = "" }

func gateway(basePort int) func(*schema.Cluster) {
	return func(c *schema.Cluster) {
		c.ExternalAccess.ServiceType = ""
		c.ExternalAccess.Gateway = &schema.Gateway{GatewayRef: schema.GatewayRef{Name: "public"}, BasePort: basePort}
	}
}

// serviceType is without a gateway; "" is NodePort.
func serviceType(kind string) func(*schema.Cluster) {
	return func(c *schema.Cluster) { c.ExternalAccess.ServiceType = kind }
}

func gatewayRef(name, namespace, section string) func(*schema.Cluster) {
	return func(c *schema.Cluster) {
		c.ExternalAccess.Gateway.GatewayRef = schema.GatewayRef{Name: name, Namespace: namespace, SectionName: section}
	}
}

func class(name string) func(*schema.Cluster) {
	return func(c *schema.Cluster) { c.ExternalAccess.LoadBalancerClass = name }
}

// served is a cluster with that many shards, of which more are still served.
func served(shards, servedShards int) func(*schema.Cluster) {
	return func(c *schema.Cluster) { c.Shards, c.ExternalAccess.ServedShards = shards, servedShards }
}

// perNode is a cluster with a Service and a hostname for each node.
func perNode(c *schema.Cluster) { c.ExternalAccess.ServiceScope = schema.ScopeNode }

func readBackBy(what string, p *schema.Plan) *schema.Plan {
	changed := *p
	changed.Readback = what
	return &changed
}

func rolledLater(p *schema.Plan) *schema.Plan {
	changed := *p
	changed.Roll = schema.RollLater
	return &changed
}

func all(changes ...func(*schema.Cluster)) func(*schema.Cluster) {
	return func(c *schema.Cluster) {
		for _, change := range changes {
			change(c)
		}
	}
}

// said is a transition in a form to compare: one line a change.
func said(t Transition) []string {
	lines := []string{}
	for _, n := range t.Added {
		lines = append(lines, "+ "+n.Name)
	}
	for _, n := range t.Removed {
		lines = append(lines, "- "+n.Name)
	}
	for _, m := range t.Moved {
		lines = append(lines, fmt.Sprintf("%s %d>%d", m.Node.Name, m.OldPort, m.Node.Port))
	}
	for _, r := range t.Renamed {
		lines = append(lines, fmt.Sprintf("%s %s>%s", r.Node.Name, r.OldHost, r.Node.Host()))
	}
	for _, n := range t.Draining {
		lines = append(lines, "draining "+n.Name)
	}
	for _, s := range t.Changes {
		lines = append(lines, fmt.Sprintf("%s %s>%s", s.Name, s.Old, s.New))
	}
	if t.Unannounced {
		lines = append(lines, "unannounced")
	}
	if t.Rolls {
		lines = append(lines, "rolls")
	}
	for _, r := range t.Refusals {
		lines = append(lines, "refused: "+r.Reason)
	}
	return lines
}

// split is behind a gateway, with Services inside.
func split(c *schema.Cluster) {
	gateway(30000)(c)
	c.ExternalAccess.SplitHorizon = true
}

const (
	insideGo   = "refused: takes away Services that the cluster's DNS may lead clients inside to: valkey-orders-inside-0, valkey-orders-inside-1"
	dropsBoth  = "refused: drops hostnames that clients are sent to: shard-0.example.com, shard-1.example.com"
	movesFour  = "refused: moves the port of 4 nodes"
	added      = "+ orders-0-0|+ orders-0-1|+ orders-1-0|+ orders-1-1"
	removed    = "- orders-0-0|- orders-0-1|- orders-1-0|- orders-1-1"
	toOtherDom = "orders-0-0 shard-0.example.com>shard-0.example.org|orders-0-1 shard-0.example.com>shard-0.example.org|" +
		"orders-1-0 shard-1.example.com>shard-1.example.org|orders-1-1 shard-1.example.com>shard-1.example.org"
)

// hosts is that what the nodes of the two shards announce becomes something else.
func hosts(old, new [2]string) string {
	var lines []string
	for i := range 4 {
		lines = append(lines, fmt.Sprintf("orders-%d-%d %s>%s", i/2, i%2, old[i/2], new[i/2]))
	}
	return strings.Join(lines, "|")
}

var names, nobody = [2]string{"shard-0.example.com", "shard-1.example.com"}, [2]string{}

// TestCompare: what changes, what rolls and what is refused, for every kind of
// change.
func TestCompare(t *testing.T) {
	notInjected := exposure(nil)
	notInjected.Inject = schema.InjectNone
	notInjectedIP := exposure(prefersIP)
	notInjectedIP.Inject = schema.InjectNone
	patched := exposure(nil)
	patched.Inject = schema.InjectPatch
	otherDomain := func(c *schema.Cluster) { c.ExternalAccess.Domain = "example.org" }
	for name, test := range map[string]struct {
		last, next *schema.Plan
		want       string // the lines of said, joined with |
	}{
		"nothing to nothing": {nil, nil, ""},
		"the same":           {exposure(nil), exposure(nil), ""},

		"horizon split":           {exposure(gateway(30000)), exposure(split), "splitHorizon false>true"},
		"horizon made one":        {exposure(split), exposure(gateway(30000)), "splitHorizon true>false|" + insideGo},
		"horizon made one, ip":    {exposure(all(split, prefersIP)), exposure(all(gateway(30000), prefersIP)), "splitHorizon true>false"},
		"horizon of fewer shards": {exposure(all(split, served(1, 2))), exposure(all(split, served(1, 0))), "- orders-1-0|- orders-1-1"},

		"enabled":                  {nil, exposure(nil), added + "|rolls"},
		"enabled without overlay":  {nil, notInjected, added},
		"disabled":                 {exposure(nil), nil, removed + "|rolls|" + dropsBoth},
		"disabled without overlay": {notInjected, nil, removed + "|" + dropsBoth},
		"disabled from ip":         {exposure(prefersIP), nil, removed + "|rolls"},
		"overlay taken out":        {exposure(nil), notInjected, "rolls|refused: takes out of the pods what announces the hostnames that clients are sent to"},
		"overlay out, from ip":     {exposure(prefersIP), notInjectedIP, "rolls"},
		"overlay put in":           {notInjected, exposure(nil), "rolls"},
		"overlay put in by patch":  {notInjected, patched, "rolls"},
		"patched instead":          {exposure(nil), patched, "rolls"},
		"still patched":            {patched, patched, ""},

		"ip":               {exposure(nil), exposure(prefersIP), "preferredEndpointType hostname>ip"},
		"hostname":         {exposure(prefersIP), exposure(nil), "preferredEndpointType ip>hostname"},
		"domain":           {exposure(nil), exposure(otherDomain), toOtherDom + "|" + dropsBoth},
		"domain from ip":   {exposure(prefersIP), exposure(all(prefersIP, otherDomain)), toOtherDom},
		"domain with ip":   {exposure(nil), exposure(all(prefersIP, otherDomain)), toOtherDom + "|preferredEndpointType hostname>ip|" + dropsBoth},
		"domain, hostname": {exposure(prefersIP), exposure(otherDomain), toOtherDom + "|preferredEndpointType ip>hostname"},
		"domain removed": {
			exposure(nil), exposure(all(prefersIP, func(c *schema.Cluster) { c.ExternalAccess.Domain = "" })),
			"orders-0-0 shard-0.example.com>|orders-0-1 shard-0.example.com>|orders-1-0 shard-1.example.com>|orders-1-1 shard-1.example.com>" +
				"|preferredEndpointType hostname>ip|" + dropsBoth,
		},
		"prefix": {
			exposure(nil), exposure(func(c *schema.Cluster) { c.ExternalAccess.HostnamePrefix, c.Shards = "vk", 1 }),
			"- orders-1-0|- orders-1-1|orders-0-0 shard-0.example.com>vk-0.example.com|orders-0-1 shard-0.example.com>vk-0.example.com" +
				"|refused: drops hostnames that clients are sent to: shard-0.example.com" +
				"|refused: takes away Services of shards that may still hold keys: shard-1.example.com",
		},

		"a shard less": {
			exposure(nil), exposure(func(c *schema.Cluster) { c.Shards = 1 }),
			"- orders-1-0|- orders-1-1|refused: takes away Services of shards that may still hold keys: shard-1.example.com",
		},
		"a shard less, served until it is empty": {exposure(nil), exposure(served(1, 2)), "draining orders-1-0|draining orders-1-1"},
		"an empty shard not served any more":     {exposure(served(1, 2)), exposure(served(1, 0)), "- orders-1-0|- orders-1-1"},
		"a draining shard comes back":            {exposure(served(1, 2)), exposure(nil), ""},
		"two shards less, one served": {
			exposure(served(4, 0)), exposure(served(2, 3)),
			"- orders-3-0|- orders-3-1|draining orders-2-0|draining orders-2-1|refused: takes away Services of shards that may still hold keys: shard-3.example.com",
		},
		"a shard more while others drain": {exposure(served(1, 3)), exposure(served(2, 3)), ""},
		"a shard less with ip":            {exposure(prefersIP), exposure(all(prefersIP, served(1, 0))), "- orders-1-0|- orders-1-1"},
		"a shard less, and ip": {
			exposure(nil), exposure(all(prefersIP, served(1, 0))),
			"- orders-1-0|- orders-1-1|preferredEndpointType hostname>ip|refused: takes away Services of shards that may still hold keys: shard-1.example.com",
		},
		"a shard more":   {exposure(nil), exposure(func(c *schema.Cluster) { c.Shards = 3 }), "+ orders-2-0|+ orders-2-1"},
		"a replica less": {exposure(nil), exposure(func(c *schema.Cluster) { c.Replicas = 0 }), "- orders-0-1|- orders-1-1"},
		"a replica less behind a gateway": {
			exposure(gateway(30000)), exposure(all(gateway(30000), func(c *schema.Cluster) { c.Replicas = 0 })),
			"- orders-0-1|- orders-1-1|orders-1-0 30002>30001|refused: moves the port of 1 node",
		},
		"a replica more behind a gateway": {
			exposure(gateway(30000)), exposure(all(gateway(30000), func(c *schema.Cluster) { c.Replicas = 2 })),
			"+ orders-0-2|+ orders-1-2|orders-1-0 30002>30003|orders-1-1 30003>30004|refused: moves the port of 2 nodes",
		},
		"a shard more behind a gateway": {
			exposure(gateway(30000)), exposure(all(gateway(30000), func(c *schema.Cluster) { c.Shards = 3 })), "+ orders-2-0|+ orders-2-1",
		},
		"base port": {
			exposure(gateway(30000)), exposure(gateway(31000)),
			"orders-0-0 30000>31000|orders-0-1 30001>31001|orders-1-0 30002>31002|orders-1-1 30003>31003|" + movesFour,
		},
		"base port with ip": {
			exposure(all(prefersIP, gateway(30000))), exposure(all(prefersIP, gateway(30001))),
			"orders-0-0 30000>30001|orders-0-1 30001>30002|orders-1-0 30002>30003|orders-1-1 30003>30004|" + movesFour,
		},
		"base port and domain": {
			exposure(gateway(30000)), exposure(all(gateway(30002), otherDomain)),
			"orders-0-0 30000>30002|orders-0-1 30001>30003|orders-1-0 30002>30004|orders-1-1 30003>30005|" + toOtherDom +
				"|" + dropsBoth + "|" + movesFour,
		},
		"load balancer to gateway": {
			exposure(nil), exposure(gateway(30000)),
			"orders-0-0 6379>30000|orders-0-1 6380>30001|orders-1-0 6379>30002|orders-1-1 6380>30003|serviceType LoadBalancer>ClusterIP|gateway false>true|" +
				"refused: leads the hostnames that clients are sent to elsewhere: from LoadBalancer to Gateway shop/public|" + movesFour,
		},
		"node port to load balancer": {
			exposure(serviceType("")), exposure(nil),
			"orders-0-0 0>6379|orders-0-1 0>6380|orders-1-0 0>6379|orders-1-1 0>6380|serviceType NodePort>LoadBalancer|" +
				"refused: leads the hostnames that clients are sent to elsewhere: from NodePort to LoadBalancer|" + movesFour,
		},
		"node port to load balancer with ip": {
			exposure(all(prefersIP, serviceType(""))), exposure(prefersIP),
			"orders-0-0 0>6379|orders-0-1 0>6380|orders-1-0 0>6379|orders-1-1 0>6380|serviceType NodePort>LoadBalancer",
		},
		"gateway to node port with ip": {
			exposure(all(prefersIP, gateway(30000))), exposure(all(prefersIP, serviceType(""))),
			"orders-0-0 30000>0|orders-0-1 30001>0|orders-1-0 30002>0|orders-1-1 30003>0|serviceType ClusterIP>NodePort|gateway true>false",
		},
		"load balancer to cluster IP": {
			exposure(nil), exposure(serviceType(schema.ClusterIP)),
			"serviceType LoadBalancer>ClusterIP|refused: leads the hostnames that clients are sent to elsewhere: from LoadBalancer to ClusterIP",
		},
		"load balancer to cluster IP with ip": {
			exposure(prefersIP), exposure(all(prefersIP, serviceType(schema.ClusterIP))), "serviceType LoadBalancer>ClusterIP",
		},
		"load balancer to gateway with the same ports": {
			exposure(served(1, 0)), exposure(all(served(1, 0), gateway(6379))),
			"serviceType LoadBalancer>ClusterIP|gateway false>true|refused: leads the hostnames that clients are sent to elsewhere: from LoadBalancer to Gateway shop/public",
		},
		"another gateway": {
			exposure(gateway(30000)), exposure(all(gateway(30000), gatewayRef("private", "infra", ""))),
			"gatewayRef shop/public>infra/private|refused: leads the hostnames that clients are sent to elsewhere: from Gateway shop/public to Gateway infra/private",
		},
		"another gateway with ip": {
			exposure(all(prefersIP, gateway(30000))), exposure(all(prefersIP, gateway(30000), gatewayRef("private", "", ""))),
			"gatewayRef shop/public>shop/private",
		},
		"another listener": {
			exposure(gateway(30000)), exposure(all(gateway(30000), gatewayRef("public", "", "tcp"))),
			"gatewayRef shop/public>shop/public, section tcp|refused: leads the hostnames that clients are sent to elsewhere: from Gateway shop/public to Gateway shop/public, section tcp",
		},
		"the gateway's namespace written out": {
			exposure(gateway(30000)), exposure(all(gateway(30000), gatewayRef("public", "shop", ""))), "",
		},
		"services behind a gateway": {
			exposure(gateway(30000)), exposure(all(gateway(30000), serviceType(schema.LoadBalancer))), "serviceType ClusterIP>LoadBalancer",
		},
		"another load balancer class": {
			exposure(nil), exposure(class("internal")),
			"loadBalancerClass >internal|refused: gives Services another loadBalancerClass, which the API server lets nobody change",
		},
		"no load balancer class any more, with ip": {
			exposure(all(prefersIP, class("internal"))), exposure(prefersIP),
			"loadBalancerClass internal>|refused: gives Services another loadBalancerClass, which the API server lets nobody change",
		},
		"a load balancer with a class, from ip": {
			exposure(all(prefersIP, serviceType(schema.ClusterIP))), exposure(all(prefersIP, class("internal"))),
			"serviceType ClusterIP>LoadBalancer|loadBalancerClass >internal",
		},
		"no read-back any more, node ports": {
			exposure(serviceType("")), readBackBy(schema.ReadbackNone, exposure(serviceType(""))),
			"readback job>none|refused: takes away what gives starting nodes the ports that clients are sent to",
		},
		"rolled after all":     {rolledLater(exposure(perNode)), exposure(perNode), "roll later>now|rolls"},
		"not rolled any more":  {exposure(perNode), rolledLater(exposure(perNode)), "roll now>later|rolls"},
		"enabled without roll": {nil, rolledLater(exposure(perNode)), added},
		"off without roll":     {rolledLater(exposure(all(prefersIP, perNode))), nil, removed},
		"another domain without roll": {
			rolledLater(exposure(all(prefersIP, served(1, 0), perNode))), rolledLater(exposure(all(prefersIP, served(1, 0), perNode, otherDomain))),
			"orders-0-0 shard-0-0.example.com>shard-0-0.example.org|orders-0-1 shard-0-1.example.com>shard-0-1.example.org",
		},
		"no read-back any more, known ports": {exposure(nil), readBackBy(schema.ReadbackNone, exposure(nil)), "readback job>none"},
		"a job instead of the cron job": {
			readBackBy(schema.ReadbackCronJob, exposure(serviceType(""))), exposure(serviceType("")), "readback cronjob>job",
		},
		"ip without read-back": {
			readBackBy(schema.ReadbackNone, exposure(nil)), readBackBy(schema.ReadbackNone, exposure(prefersIP)), "preferredEndpointType hostname>ip|unannounced",
		},
		"domain without read-back": {
			readBackBy(schema.ReadbackNone, exposure(prefersIP)), readBackBy(schema.ReadbackNone, exposure(all(prefersIP, otherDomain))), toOtherDom + "|unannounced",
		},
		"overlay put in without read-back": {
			readBackBy(schema.ReadbackNone, notInjected), readBackBy(schema.ReadbackNone, exposure(nil)), "rolls",
		},

		"a service a node": {
			exposure(served(1, 0)), exposure(all(served(1, 0), perNode)),
			"orders-0-1 6380>6379|orders-0-0 shard-0.example.com>shard-0-0.example.com|orders-0-1 shard-0.example.com>shard-0-1.example.com|serviceScope shard>node|" +
				"refused: gives the Services another scope, node instead of shard, which takes away the hostnames that clients are sent to: shard-0.example.com|refused: moves the port of 1 node",
		},
		"a service a shard again": {
			exposure(all(gateway(30000), served(1, 0), perNode)), exposure(all(gateway(30000), served(1, 0))),
			"orders-0-0 shard-0-0.example.com>shard-0.example.com|orders-0-1 shard-0-1.example.com>shard-0.example.com|serviceScope node>shard|" +
				"refused: gives the Services another scope, shard instead of node, which takes away the hostnames that clients are sent to: shard-0-0.example.com, shard-0-1.example.com",
		},
		"a service a node, from ip": {
			exposure(all(prefersIP, served(1, 0))), exposure(all(prefersIP, served(1, 0), perNode)),
			"orders-0-1 6380>6379|orders-0-0 shard-0.example.com>shard-0-0.example.com|orders-0-1 shard-0.example.com>shard-0-1.example.com|serviceScope shard>node",
		},
		"a shard less, with a service a node": {
			exposure(perNode), exposure(all(perNode, served(1, 0))),
			"- orders-1-0|- orders-1-1|refused: takes away Services of shards that may still hold keys: shard-1-0.example.com, shard-1-1.example.com",
		},
		"a load balancer a node, with addresses": {
			exposure(all(served(1, 0), address(""))), exposure(all(served(1, 0), address(""), perNode)),
			"orders-0-1 6380>6379|serviceScope shard>node|" +
				"refused: gives the Services another scope, node instead of shard, which takes away the addresses that clients are sent to: valkey-orders-shard-0|refused: moves the port of 1 node",
		},
		"a service a node behind a gateway, with addresses": {
			exposure(all(served(1, 0), gateway(30000), address(""))), exposure(all(served(1, 0), gateway(30000), address(""), perNode)), "serviceScope shard>node",
		},
		"an address, from ip": {exposure(prefersIP), exposure(address("")), hosts(names, nobody) + "|preferredEndpointType ip>address"},
		"load balancers' addresses in place of hostnames": {
			exposure(nil), exposure(address("")),
			hosts(names, nobody) + "|preferredEndpointType hostname>address|" + dropsBoth,
		},
		"hostnames in place of the load balancers' addresses": {
			exposure(address("")), exposure(nil), hosts(nobody, names) + "|preferredEndpointType address>hostname",
		},
		"from load balancers' addresses to ip": {
			exposure(address("")), exposure(all(noDomain, prefersIP)), "preferredEndpointType address>ip",
		},
		"another address": {
			exposure(all(serviceType(""), address("192.0.2.1"))), exposure(all(serviceType(""), address("192.0.2.2"))),
			hosts([2]string{"192.0.2.1", "192.0.2.1"}, [2]string{"192.0.2.2", "192.0.2.2"}),
		},
		"the Gateway's own address": {
			exposure(all(gateway(30000), address("192.0.2.1"))), exposure(all(gateway(30000), address(""))),
			hosts([2]string{"192.0.2.1", "192.0.2.1"}, nobody),
		},
		"addresses of another kind": {
			exposure(address("")), exposure(all(serviceType(""), address("192.0.2.1"))),
			"orders-0-0 6379>0|orders-0-1 6380>0|orders-1-0 6379>0|orders-1-1 6380>0|" + hosts(nobody, [2]string{"192.0.2.1", "192.0.2.1"}) +
				"|serviceType LoadBalancer>NodePort|refused: leads the addresses that clients are sent to elsewhere: from LoadBalancer to NodePort|" + movesFour,
		},
		"disabled while clients are sent to addresses": {
			exposure(address("")), nil,
			removed + "|rolls|refused: drops addresses that clients are sent to: valkey-orders-shard-0, valkey-orders-shard-1",
		},
		"a shard less while clients are sent to addresses": {
			exposure(address("")), exposure(all(served(1, 0), address(""))),
			"- orders-1-0|- orders-1-1|refused: takes away Services of shards that may still hold keys: valkey-orders-shard-1",
		},
		"no read-back any more, addresses": {
			exposure(address("")), readBackBy(schema.ReadbackNone, exposure(address(""))),
			"readback job>none|refused: takes away what gives starting nodes the addresses that clients are sent to",
		},
		"no read-back any more, an address that is known": {
			exposure(all(gateway(30000), address(""))), readBackBy(schema.ReadbackNone, exposure(all(gateway(30000), address("192.0.2.1")))),
			hosts(nobody, [2]string{"192.0.2.1", "192.0.2.1"}) + "|readback job>none|unannounced",
		},

		"tls": {exposure(nil), exposure(func(c *schema.Cluster) { c.TLS = &schema.TLS{SecretName: "x"} }), "tls false>true"},

		"another cluster": {
			exposure(nil), exposure(func(c *schema.Cluster) { c.Name, c.Shards, c.Replicas = "carts", 1, 0 }),
			"+ carts-0-0|" + removed + "|rolls|" + dropsBoth,
		},
		"another namespace": {
			exposure(prefersIP), exposure(all(prefersIP, func(c *schema.Cluster) { c.Namespace = "test" })), added + "|" + removed + "|rolls",
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := []string{}
			if test.want != "" {
				want = strings.Split(test.want, "|")
			}
			if diff := cmp.Diff(want, said(Compare(test.last, test.next))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestRefusalsNameTheirStep: the step is one that is not refused itself, and
// after it the change is not refused any more.
func TestRefusalsNameTheirStep(t *testing.T) {
	many := func(c *schema.Cluster) { c.Shards = 5 }
	refused := Compare(exposure(many), nil).Refusals
	want := []Refusal{{
		Reason: "drops hostnames that clients are sent to: shard-0.example.com, shard-1.example.com, shard-2.example.com and 2 more",
		Step:   "set preferredEndpointType: ip and leave all else as it was; render, apply, and let the read-back Job end",
	}}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	step := exposure(all(many, prefersIP))
	if again := slicesOf(Compare(exposure(many), step), Compare(step, nil)); len(again) > 0 {
		t.Errorf("the step itself is refused: %v", again)
	}
	rescoped := exposure(all(many, perNode))
	if refused := Compare(exposure(many), rescoped).Refusals; len(refused) == 0 || refused[0].Step != want[0].Step {
		t.Errorf("another scope: %v", refused)
	}
	if again := Compare(step, rescoped).Refusals; len(again) > 0 {
		t.Errorf("another scope after the step is refused: %v", again)
	}
	scaledIn := exposure(served(2, 0))
	const serve = "set servedShards: 5 in externalAccess, which keeps them while the operator empties these shards, and take it out once the cluster is Ready " +
		"(kubectl wait valkeycluster/orders -n shop --for=condition=Ready --timeout=1h)"
	if refused := Compare(exposure(many), scaledIn).Refusals; len(refused) != 1 || refused[0].Step != serve {
		t.Errorf("scaled in: %v", refused)
	}
	step = exposure(served(2, 5))
	if again := slicesOf(Compare(exposure(many), step), Compare(step, scaledIn)); len(again) > 0 {
		t.Errorf("the step itself is refused: %v", again)
	}
	silent := Compare(readBackBy(schema.ReadbackNone, exposure(nil)), nil).Refusals
	if len(silent) != 1 || strings.Contains(silent[0].Step, "Job") {
		t.Errorf("a Job that there is none of: %v", silent)
	}
	other := Compare(exposure(nil), exposure(func(c *schema.Cluster) { c.Name = "carts" })).Refusals
	if len(other) != 1 || !strings.Contains(other[0].Step, "of shop/orders") {
		t.Errorf("whose endpoint type? %v", other)
	}
	moved := Compare(exposure(gateway(1)), exposure(gateway(2))).Refusals
	if len(moved) != 1 || moved[0].Step != "" {
		t.Errorf("a move has no step before it: %v", moved)
	}
}

// TestAnnouncedAtStart: a pod that starts announces everything if it has the
// overlay, and no port is left to Kubernetes while clients are sent to it.
func TestAnnouncedAtStart(t *testing.T) {
	bare := exposure(nil)
	bare.Inject = schema.InjectNone
	patched := exposure(nil)
	patched.Inject = schema.InjectPatch
	for name, test := range map[string]struct {
		plan *schema.Plan
		want bool
	}{
		"load balancer":   {exposure(nil), true},
		"patched":         {patched, true},
		"no overlay":      {bare, false},
		"node ports":      {exposure(serviceType("")), false},
		"node ports, ip":  {exposure(all(prefersIP, serviceType(""))), true},
		"nothing exposed": {nil, false},
	} {
		if got := AnnouncedAtStart(test.plan); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func slicesOf(transitions ...Transition) []Refusal {
	var all []Refusal
	for _, t := range transitions {
		all = append(all, t.Refusals...)
	}
	return all
}
