package transition

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// refuseForHostnames finds what takes the way from clients that are sent to
// hostnames, or to addresses in their place. Another address is no such thing: what
// leads there is not rendered, and that it has changed is why the block says so.
func refuseForHostnames(t *Transition, same bool) {
	last, next := t.Old, t.New
	hosts := "hostnames"
	if last.PrefersAddress() {
		hosts = "addresses"
	}
	add := func(reason, step string) { t.Refusals = append(t.Refusals, Refusal{Reason: reason, Step: step}) }
	dropped := dropped(t, same)
	rescoped := same && scope(last) != scope(next)
	if rescoped && len(dropped) == 0 && !last.Gateway {
		dropped = hostnames(last.Nodes) // the addresses of other Services take their place
	}
	if rescoped && len(dropped) > 0 {
		add(fmt.Sprintf("gives the Services another scope, %s instead of %s, which takes away the %s that clients are sent to: %s",
			scope(next), scope(last), hosts, some(dropped)), ipFirst(t, ""))
	} else if len(dropped) > 0 {
		of := ""
		if next != nil && !same {
			of = " of " + schema.QualifiedName(last.Namespace, last.Cluster)
		}
		add("drops "+hosts+" that clients are sent to: "+some(dropped), ipFirst(t, of))
	}
	if !same {
		return
	}
	if overlay(t.Old) != "" && overlay(t.New) == "" {
		add("takes out of the pods what announces the "+hosts+" that clients are sent to", ipFirst(t, ""))
	}
	if hostnames, shards := emptied(t); len(hostnames) > 0 {
		add("takes away Services of shards that may still hold keys: "+some(hostnames), fmt.Sprintf(
			"set servedShards: %d in externalAccess, which keeps them while the operator empties these shards, and take it out once the cluster is Ready "+
				"(kubectl wait valkeycluster/%s -n %s --for=condition=Ready --timeout=1h)", shards, last.Cluster, last.Namespace))
	}
	unknown := last.Gateway && next.Gateway && last.GatewayRef == nil // version 1
	if old, new := way(last), way(next); old != new && !unknown {
		add(fmt.Sprintf("leads the %s that clients are sent to elsewhere: from %s to %s", hosts, old, new), ipFirst(t, ""))
	}
	if what := awaited(last); what != "" && awaited(next) != "" && last.Readback != schema.ReadbackNone && next.Readback == schema.ReadbackNone {
		add("takes away what gives starting nodes the "+what+" that clients are sent to", ipFirst(t, ""))
	}
}

// ipFirst is the step that sends clients back to pod IPs.
func ipFirst(t *Transition, of string) string {
	render, then := "render", "let the read-back Job end"
	switch {
	case t.Old.Readback != schema.ReadbackNone:
	case overlay(t.Old) == "":
		render = "render with --readback job"
	default:
		then = "restart every pod, one at a time, because nothing announces the change to running nodes"
	}
	return "set preferredEndpointType: ip" + of + " and leave all else as it was; " + render + ", apply, and " + then
}

// dropped lists the hostnames that nodes announce no more, less those of shards
// that are scaled in.
func dropped(t *Transition, same bool) []string {
	var all []string
	if !same {
		all = hostnames(t.Removed)
	}
	for _, r := range t.Renamed {
		if r.OldHost != "" && !t.Old.PrefersAddress() {
			all = append(all, r.OldHost)
		}
	}
	return slices.Compact(all)
}

// emptied lists the hostnames of shards that go with all their nodes and were not
// said to be draining, and how many shards there were with the last of them.
func emptied(t *Transition) (names []string, shards int) {
	stays := map[int]bool{}
	for _, n := range t.New.Nodes {
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

// insideGone lists the Services inside of nodes that stay, which go.
func insideGone(t *Transition) []string {
	if t.New == nil {
		return nil
	}
	stays := map[string]schema.Node{}
	for _, n := range t.New.Nodes {
		stays[n.Name] = n
	}
	var all []string
	for _, o := range t.Old.Nodes {
		if n, still := stays[o.Name]; still && o.Inside != "" && n.Inside != o.Inside {
			all = append(all, o.Inside)
		}
	}
	return slices.Compact(all)
}

// hostnames are those of nodes in the order of their Plan, where the nodes of a
// shard share one; of a node whose address is read back, the Service that has it.
func hostnames(nodes []schema.Node) []string {
	var all []string
	for _, n := range nodes {
		all = append(all, cmp.Or(n.Host(), n.Service))
	}
	return slices.Compact(all)
}
