package golden

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestInsideServicesHaveTheAnnouncedPorts: with a gateway, whatever the Services' own
// type, each announced port leads inside to the pod it is announced by, and nothing
// that was meant for outside is on these Services.
func TestInsideServicesHaveTheAnnouncedPorts(t *testing.T) {
	for _, kind := range []string{"", schema.NodePort, schema.LoadBalancer} {
		for scope, services := range map[string]int{schema.ScopeShard: 2 * 11, schema.ScopeNode: 2 * 33} {
			objects := renderOf(t, &schema.Cluster{Shards: 2, Replicas: 2, ExternalAccess: &schema.ExternalAccess{
				ServiceType: kind, ServiceScope: scope, Domain: "example.com", PreferredEndpointType: schema.PreferHostname, SplitHorizon: true, ServedShards: 11,
				ServiceAnnotations: map[string]schema.PerService{"example.com/outside": {"x"}},
				Gateway:            &schema.Gateway{GatewayRef: schema.GatewayRef{Name: "public"}, BasePort: 30000},
			}}, nil)
			byName := map[string]*corev1.Service{}
			for _, s := range only[*corev1.Service](objects) {
				byName[s.Name] = s
			}
			if len(byName) != services {
				t.Errorf("%s: %d Services for 33 nodes", scope, len(byName))
			}
			for _, n := range planOf(t, objects).Nodes {
				inside, outside := byName[n.Inside], byName[n.Service]
				if inside == nil || inside == outside {
					t.Fatalf("%s has no Service inside: %q", n.Name, n.Inside)
				}
				if inside.Spec.Type != corev1.ServiceTypeClusterIP || inside.Annotations["example.com/outside"] != "" {
					t.Errorf("%s is %s, with %v", inside.Name, inside.Spec.Type, inside.Annotations)
				}
				target := func(s *corev1.Service, port int) string {
					at := slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return int(p.Port) == port })
					if at < 0 {
						return ""
					}
					return s.Spec.Ports[at].TargetPort.String()
				}
				if got, want := target(inside, n.Port), target(outside, n.ServicePort); got != want || got == "" {
					t.Errorf("port %d of %s leads to %q, want %q", n.Port, inside.Name, got, want)
				}
				if diff := cmp.Diff(outside.Spec.Selector, inside.Spec.Selector); diff != "" {
					t.Errorf("%s selects others: %s", inside.Name, diff)
				}
			}
		}
	}
}

// TestNoServiceInsideWhereOneHasThePorts: a load balancer's Service does, and what is
// rendered is the same with the field and without.
func TestNoServiceInsideWhereOneHasThePorts(t *testing.T) {
	rendered := func(split bool) []string {
		return namesOf(renderOf(t, &schema.Cluster{Shards: 2, ExternalAccess: &schema.ExternalAccess{
			ServiceType: schema.LoadBalancer, Domain: "example.com", SplitHorizon: split,
		}}, nil))
	}
	if diff := cmp.Diff(rendered(false), rendered(true)); diff != "" {
		t.Error(diff)
	}
}
