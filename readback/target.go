package readback

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Target is a node of the Plan with what only the API server knows.
type Target struct {
	schema.Node

	// Pod, PodUID and PodIP are the node's pod.
	Pod    string
	PodUID types.UID
	PodIP  string

	// NodePort is allocated by Kubernetes, with serviceType NodePort; else 0.
	NodePort int

	// LoadBalancer is the IP or hostname of the shard's load balancer, with
	// serviceType LoadBalancer; else "".
	LoadBalancer string

	// Gateway says that clients come through a Gateway: Dial is a port of its,
	// and nobody listens on it at LoadBalancer.
	Gateway bool

	// Dial is the port a client dials, 1 to 65535.
	Dial int
}

// Host is the name or address under which clients outside find the node, "" if
// neither the Plan nor the API server knows one.
func (t Target) Host() string {
	if host := t.Node.Host(); host != "" || t.Gateway {
		return host
	}
	return t.LoadBalancer
}

// withServices adds to every node what its Service says. The reasons say what is
// missing yet, one for each node or Service; with any, the targets are not to be
// used.
func withServices(plan *schema.Plan, nodes []schema.Node, services []*corev1.Service) (targets []Target, reasons []string) {
	byName := make(map[string]*corev1.Service, len(services))
	for _, s := range services {
		byName[s.Name] = s
	}
	targets = make([]Target, 0, len(nodes))
	last := ""              // the Service that was last found to be missing something as a whole
	given := map[int]bool{} // shards that the cluster gives up, whose Service is not there any more
	for _, n := range nodes {
		t := Target{Node: n, Dial: n.Port, Gateway: plan.Gateway}
		service, found := byName[n.Service]
		reason, whole := "", false
		switch {
		case !found:
			reason, whole = fmt.Sprintf("service %s does not exist", n.Service), true
		case plan.ServiceType == schema.NodePort:
			t.NodePort = nodePort(service, n.PortName)
			if t.NodePort == 0 {
				reason = fmt.Sprintf("service %s: port %s has no nodePort yet", n.Service, n.PortName)
			}
			if t.Dial == 0 {
				t.Dial = t.NodePort
			}
		case plan.ServiceType == schema.LoadBalancer:
			t.LoadBalancer = loadBalancer(service)
			if t.LoadBalancer == "" {
				reason, whole = fmt.Sprintf("service %s has no load balancer address yet", n.Service), true
			}
		}
		if reason != "" && n.Draining {
			given[n.Shard] = true
		} else if reason != "" && !(whole && last == n.Service) {
			reasons = append(reasons, reason)
		}
		if whole {
			last = n.Service
		}
		targets = append(targets, t)
	}
	return slices.DeleteFunc(targets, func(t Target) bool { return given[t.Shard] }), reasons
}

// nodePort looks a port up by its name. 0 is what Kubernetes has for a port that
// is not allocated.
func nodePort(s *corev1.Service, name string) int {
	for _, p := range s.Spec.Ports {
		if p.Name == name {
			return int(p.NodePort)
		}
	}
	return 0
}

func loadBalancer(s *corev1.Service) string {
	for _, ingress := range s.Status.LoadBalancer.Ingress {
		if ingress.IP != "" {
			return ingress.IP
		}
		if ingress.Hostname != "" {
			return ingress.Hostname
		}
	}
	return ""
}
