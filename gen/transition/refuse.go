package transition

import (
	"fmt"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// refuse finds what must not happen in one step.
//
// A hostname must not go, nor lead elsewhere, while clients are sent to it: until
// the announcement has changed on every node, redirects lead nowhere. A shard that
// is scaled in keeps its hostname until it is empty, for clients are sent to it
// for every slot that it still has.
//
// A port must not move unasked where clients are sent to it, nor where one fixed
// port takes the place of another: seeds, firewalls and listeners name it. With
// ip, to or from ports that Kubernetes allocates, or to Services of another scope,
// there is another way in altogether, and nobody is sent there.
func refuse(t *Transition, same bool) {
	last, next := t.Old, t.New
	if last == nil {
		return
	}
	if last.PrefersHostname() {
		refuseForHostnames(t, same)
	}
	if same && knowsClass(last) && last.ServiceType == schema.LoadBalancer && next.ServiceType == schema.LoadBalancer &&
		last.LoadBalancerClass != next.LoadBalancerClass {
		t.Refusals = append(t.Refusals, Refusal{
			Reason: "gives Services another loadBalancerClass, which the API server lets nobody change",
			Step: fmt.Sprintf("delete the Services, whose addresses then change (kubectl delete service -n %s -l %s=%s,%s=%s), and give --force",
				last.Namespace, schema.ClusterLabel, last.Cluster, schema.ComponentLabel, schema.ReadbackComponent),
		})
	}
	if gone := insideGone(t); last.PrefersHostname() && same && len(gone) > 0 {
		t.Refusals = append(t.Refusals, Refusal{
			Reason: "takes away Services that the cluster's DNS may lead clients inside to: " + some(gone),
			Step:   "take the rule (valkey-expose dns --inside) out of the cluster's DNS, so that clients inside go the way outside, and give --force",
		})
	}
	moved := slices.DeleteFunc(slices.Clone(t.Moved), func(m Move) bool {
		return !last.PrefersHostname() && (m.OldPort == 0 || m.Node.Port == 0 || scope(last) != scope(next))
	})
	if len(moved) > 0 {
		t.Refusals = append(t.Refusals, Refusal{Reason: "moves the port of " + count(len(moved), "node"), Moves: moved})
	}
}
