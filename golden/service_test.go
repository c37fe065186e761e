package golden

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	rules "github.com/valkey-expose/valkey-expose/cue"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

// externalDNS is the annotation as it was up to external-dns 0.21, and as it is since.
var externalDNS = []string{"external-dns.alpha.kubernetes.io/hostname", "external-dns.kubernetes.io/hostname"}

// asAsked: every Service has the fields that the user gave, and no other but the
// constants of the API server; and its annotations are those of its shard.
func asAsked(t *testing.T, plan schema.Plan, objects []metav1.Object, c *schema.Cluster) {
	t.Helper()
	access := c.ExternalAccess
	for _, o := range objects {
		service, ok := o.(*corev1.Service)
		if !ok {
			continue
		}
		shard, err := strconv.Atoi(service.Labels["valkey.io/shard-index"])
		if err != nil {
			t.Fatal(err)
		}
		want := corev1.ServiceSpec{
			Type:                          corev1.ServiceType(access.EffectiveServiceType()),
			SessionAffinity:               "None",
			AllocateLoadBalancerNodePorts: access.AllocateLoadBalancerNodePorts,
			LoadBalancerSourceRanges:      access.LoadBalancerSourceRanges,
			Ports:                         service.Spec.Ports,    // onePodAPort
			Selector:                      service.Spec.Selector, // the same
		}
		if access.LoadBalancerClass != "" {
			want.LoadBalancerClass = &access.LoadBalancerClass
		}
		if policy := corev1.IPFamilyPolicy(access.IPFamilyPolicy); policy != "" {
			want.IPFamilyPolicy = &policy
		}
		if want.Type == corev1.ServiceTypeLoadBalancer && want.AllocateLoadBalancerNodePorts == nil {
			want.AllocateLoadBalancerNodePorts = new(true)
		}
		if want.Type != corev1.ServiceTypeClusterIP {
			want.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicy(cmp.Or(access.ExternalTrafficPolicy, "Cluster"))
		}
		if diff := gocmp.Diff(want, service.Spec); diff != "" {
			t.Errorf("%s: -asked +rendered:\n%s", service.Name, diff)
		}
		first := slices.IndexFunc(plan.Nodes, func(n schema.Node) bool { return n.Service == service.Name })
		hostname := plan.Nodes[first].Hostname
		if got := service.Annotations[externalDNS[0]]; got != hostname {
			t.Errorf("%s: external-dns is told %q, the nodes announce %q", service.Name, got, hostname)
		}
		text := map[string]string{
			"":                              "",
			"{{{shard}}}":                   fmt.Sprintf("{%d}", shard),
			"{cluster} {namespace} {shard}": fmt.Sprintf("%s %s %d", plan.Cluster, plan.Namespace, shard),
		}[access.ServiceAnnotations["example.com/shard"]]
		if got := service.Annotations["example.com/shard"]; got != text {
			t.Errorf("%s: %q, want %q", service.Name, got, text)
		}
	}
}

// TestExternalDNSIsTheAnnouncedHostname: the rules accept an annotation for
// external-dns if, and only if, it is rendered as the announced hostname on the
// Service of every shard or node, however it is put; with names that are the same on all
// Services and that no node announces beside it, if any.
func TestExternalDNSIsTheAnnouncedHostname(t *testing.T) {
	checker, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[bool]int{}
	for _, cluster := range []schema.Cluster{
		{Shards: 1}, {Shards: 2}, {Shards: 3}, {Shards: 11, Replicas: 1},
		{Shards: 1, ExternalAccess: perNode}, {Shards: 1, Replicas: 2, ExternalAccess: perNode}, {Shards: 3, Replicas: 1, ExternalAccess: perNode},
	} {
		scope := ""
		if cluster.ExternalAccess != nil {
			scope = cluster.ExternalAccess.ServiceScope
		}
		for i, value := range []string{
			"shard-{shard}-{node}.example.com", "shard-{shard}-0.example.com", "shard-0-{node}.example.com", "shard-0-0.example.com", "{hostname},shard-7-8.example.com",
			"{hostname},shard-7.example.com", "{hostname},first-{node}.example.com",
			"{hostname}", "{hostname},{hostname}", "{hostname}, shard-{shard}.example.com", "{hostname},", "{hostname}.", "{{hostname}}",
			"shard-{shard}.example.com", "{cluster}-{shard}.{namespace}.com", "{namespace}-{shard}.{cluster}.com", "{cluster}-{shard}.{namespace}",
			"shard-0.example.com", "shard-1.example.com", "shard-10.example.com", "shard-0.example.com,shard-1.example.com",
			"shard-{shard}{shard}.example.com", "shard-0{shard}.example.com", "shard-1{shard}.example.com", "{shard}-{shard}.example.com",
			"{shard}", "", "shard-{shard}.example.com.", "Shard-{shard}.example.com", "x{hostname}", "{hostname}{hostname}",
			"{hostname},example.com", "{cluster}.org., {hostname}.", "{hostname},shard-20.example.com", "{hostname},shard-0{shard}.example.com",
			"{hostname}, Shard-2.example.com", "{hostname},x_y.example.com", "{hostname},*.example.com",
		} {
			key := externalDNS[i%2]
			input := fmt.Sprintf("apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: shard, namespace: example}\nspec:\n  shards: %d\n  replicas: %d\n  externalAccess:\n    enabled: true\n    serviceScope: %s\n    domain: example.com\n    preferredEndpointType: hostname\n    serviceAnnotations: {%s: %q}\n", cluster.Shards, cluster.Replicas, cmp.Or(scope, schema.ScopeShard), key, value)
			_, problems := checker.Check("", []byte(input))

			c := cluster
			c.Name, c.Namespace = "shard", "example"
			c.ExternalAccess = &schema.ExternalAccess{Enabled: true, ServiceScope: scope, Domain: "example.com", ServiceAnnotations: map[string]string{key: value}}
			same := rendersAnnouncedHostname(t, &c, key)
			// Of a shard, {node} is no node.
			same = same && (scope == schema.ScopeNode || !strings.Contains(value, "{node}"))
			if accepted := !schema.Rejects(problems); accepted != same {
				t.Errorf("%d shards, %d replicas, scope %q, %q: accepted %v, renders what is announced %v: %v", c.Shards, c.Replicas, scope, value, accepted, same, problems)
			}
			verdicts[same]++
		}
	}
	if verdicts[true] < 20 || verdicts[false] < 40 {
		t.Errorf("%d are what is announced, %d are not: one-sided", verdicts[true], verdicts[false])
	}
}

// rendersAnnouncedHostname reports whether the names that external-dns is told,
// as it takes the annotation apart, are that of the shard, and others only if
// every Service has them and no shard announces them.
func rendersAnnouncedHostname(t *testing.T, c *schema.Cluster, key string) bool {
	t.Helper()
	options := gen.Defaults()
	options.ReadbackImage = image
	document := schema.Document{
		Cluster: c,
		Source:  []byte("kind: ValkeyCluster\nmetadata: {name: shard, namespace: example}\nspec:\n  externalAccess: {enabled: true}\n"),
	}
	output, err := gen.New([]schema.Document{document}, options).Stream()
	if err != nil {
		t.Fatal(err)
	}
	services := map[string]int{} // by the names beside the shard's own
	for _, o := range plainObjects(t, output) {
		if o["kind"] != "Service" {
			continue
		}
		metadata := o["metadata"].(map[string]any)
		labels := metadata["labels"].(map[string]any)
		number := labels["valkey.io/shard-index"].(string)
		announced := announcedName
		if node, ok := labels["valkey.io/node-index"].(string); ok {
			number, announced = number+"-"+node, announcedByNode
		} else if c.ExternalAccess.PerNode() {
			t.Fatalf("%v is no node's", metadata["name"])
		}
		value := metadata["annotations"].(map[string]any)[key].(string)
		own, others := false, []string{}
		for name := range strings.SplitSeq(strings.ReplaceAll(value, " ", ""), ",") {
			name = strings.TrimSuffix(strings.ToLower(name), ".")
			switch {
			case name == fmt.Sprintf("shard-%s.example.com", number):
				own = true
			case announced.MatchString(name) || !hostName.MatchString(name):
				return false
			default:
				others = append(others, name)
			}
		}
		if !own {
			return false
		}
		services[strings.Join(others, ",")]++
	}
	return len(services) == 1
}

var (
	perNode         = &schema.ExternalAccess{ServiceScope: schema.ScopeNode}
	announcedName   = regexp.MustCompile(`^shard-[0-9]+\.example\.com$`)
	announcedByNode = regexp.MustCompile(`^shard-[0-9]+-[0-9]+\.example\.com$`)
	hostName        = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`)
)
