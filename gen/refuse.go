package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// takesAway refuses what deletes objects of the user's own. Git and the cluster
// are one to a pipeline that prunes: what is no longer rendered is deleted, a
// ValkeyCluster with its data, a Namespace with all that is in it.
func takesAway(gone []held) Refusal {
	var names []string
	var with string
	for _, h := range gone {
		names = append(names, h.String())
		switch {
		case h.group == schema.Group && h.kind == schema.Kind:
			with = ", the database and its data with it"
		case h.group == "" && h.kind == "Namespace" && with == "":
			with = ", a namespace with all that is in it"
		}
	}
	return Refusal{
		Reason: "takes away " + some(names) + ", which a pipeline that prunes deletes" + with,
		Step:   "keep them in the input under the same namespace and name (--inject patch renders no ValkeyCluster), or render to another directory",
	}
}

// refuse finds what must not happen in one step.
//
// A hostname must not go, nor lead elsewhere, while clients are sent to it: until
// the announcement has changed on every node, redirects lead nowhere. A shard that
// is scaled in keeps its hostname until it is empty, for clients are sent to it
// for every slot that it still has.
//
// A port must not move unasked where clients are sent to it, nor where one fixed
// port takes the place of another: seeds, firewalls and listeners name it. With
// ip, to or from ports that Kubernetes allocates, there is another way in
// altogether, and nobody is sent there.
func (t *Transition) refuse(same bool) {
	last, next := t.Old.Plan, t.New.Plan
	if last == nil {
		return
	}
	if last.PrefersHostname() {
		t.refuseForHostnames(same)
	}
	if same && knowsClass(last) && last.ServiceType == schema.LoadBalancer && next.ServiceType == schema.LoadBalancer &&
		last.LoadBalancerClass != next.LoadBalancerClass {
		t.Refusals = append(t.Refusals, Refusal{
			Reason: "gives Services another loadBalancerClass, which the API server lets nobody change",
			Step: fmt.Sprintf("delete the Services, whose addresses then change (kubectl delete service -n %s -l %s=%s,%s=%s), and give --force",
				last.Namespace, schema.ClusterLabel, last.Cluster, schema.ComponentLabel, schema.ReadbackComponent),
		})
	}
	moved := slices.DeleteFunc(slices.Clone(t.Moved), func(m Move) bool {
		return !last.PrefersHostname() && (m.OldPort == 0 || m.Node.Port == 0)
	})
	if len(moved) > 0 {
		t.Refusals = append(t.Refusals, Refusal{Reason: "moves the port of " + count(len(moved), "node"), Moves: moved})
	}
}

// refuseForHostnames finds what takes the way from clients that are sent to
// hostnames.
func (t *Transition) refuseForHostnames(same bool) {
	last, next := t.Old.Plan, t.New.Plan
	refuse := func(reason, step string) { t.Refusals = append(t.Refusals, Refusal{Reason: reason, Step: step}) }
	if dropped := t.dropped(same); len(dropped) > 0 {
		of := ""
		if next != nil && !same {
			of = " of " + qualified(last.Namespace, last.Cluster)
		}
		refuse("drops hostnames that clients are sent to: "+some(dropped), t.ipFirst(of))
	}
	if !same {
		return
	}
	if t.Old.overlays() != "" && t.New.overlays() == "" {
		refuse("takes out of the pods what announces the hostnames that clients are sent to", t.ipFirst(""))
	}
	if hostnames, shards := t.emptied(); len(hostnames) > 0 {
		refuse("takes away Services of shards that may still hold keys: "+some(hostnames), fmt.Sprintf(
			"set servedShards: %d in externalAccess, which keeps them while the operator empties these shards, and take it out once the cluster is Ready "+
				"(kubectl wait valkeycluster/%s -n %s --for=condition=Ready --timeout=1h)", shards, last.Cluster, last.Namespace))
	}
	unknown := last.Gateway && next.Gateway && last.GatewayRef == nil // version 1
	if old, new := way(last), way(next); old != new && !unknown {
		refuse(fmt.Sprintf("leads the hostnames that clients are sent to elsewhere: from %s to %s", old, new), t.ipFirst(""))
	}
	if !last.Gateway && last.ServiceType == schema.NodePort && last.Readback != ReadbackNone && next.Readback == ReadbackNone {
		refuse("takes away what tells nodes that start the ports that clients are sent to", t.ipFirst(""))
	}
}

// ipFirst is the step that sends clients back to pod IPs.
func (t *Transition) ipFirst(of string) string {
	render, told := "render", "let the read-back Job end"
	switch {
	case t.Old.Plan.Readback != ReadbackNone:
	case t.Old.overlays() == "":
		render = "render with --readback job"
	default:
		told = "restart every pod, one at a time, for nothing tells running nodes"
	}
	return "set preferredEndpointType: ip" + of + " and leave all else as it was; " + render + ", apply, and " + told
}

// dropped lists the hostnames that nodes announce no more, less those of shards
// that are scaled in.
func (t *Transition) dropped(same bool) []string {
	var all []string
	if !same {
		all = hostnames(t.Removed)
	}
	for _, r := range t.Renamed {
		if r.OldHostname != "" {
			all = append(all, r.OldHostname)
		}
	}
	return slices.Compact(all)
}

// emptied lists the hostnames of shards that go with all their nodes and were not
// said to be draining, and how many shards there were with the last of them.
func (t *Transition) emptied() (names []string, shards int) {
	stays := map[int]bool{}
	for _, n := range t.New.Plan.Nodes {
		stays[n.Shard] = true
	}
	var gone []schema.Node
	for _, n := range t.Removed {
		if !stays[n.Shard] && !n.Draining {
			gone, shards = append(gone, n), n.Shard+1
		}
	}
	return hostnames(gone), shards
}

// hostnames are those of nodes in the order of their Plan, where the nodes of a
// shard share one.
func hostnames(nodes []schema.Node) []string {
	var all []string
	for _, n := range nodes {
		if n.Hostname != "" {
			all = append(all, n.Hostname)
		}
	}
	return slices.Compact(all)
}

// way is what the hostnames lead to.
func way(p *schema.Plan) string {
	switch {
	case p.Gateway && p.GatewayRef != nil:
		return "Gateway " + gatewayName(p.GatewayRef)
	case p.Gateway:
		return "a Gateway"
	}
	return p.ServiceType
}

// some lists a few of many.
func some(names []string) string {
	const most = 3
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return strings.Join(names, ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
