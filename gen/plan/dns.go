package plan

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Name is a hostname that is announced, and the nodes that announce it, in the order
// of their Plan.
type Name struct {
	Hostname string
	Nodes    []schema.Node
}

// Names are those that a DNS must know. What is announced as an address needs none.
func Names(p *schema.Plan) []Name {
	var all []Name
	at := map[string]int{}
	for _, n := range p.Nodes {
		if n.Hostname == "" {
			continue
		}
		if _, err := netip.ParseAddr(n.Hostname); err == nil {
			continue
		}
		i, known := at[n.Hostname]
		if !known {
			i = len(all)
			at[n.Hostname] = i
			all = append(all, Name{Hostname: n.Hostname})
		}
		all[i].Nodes = append(all[i].Nodes, n)
	}
	return all
}

// Inside is the Service of the cluster that has a node's announced port as its
// own, "" if none has.
func Inside(p *schema.Plan, n schema.Node) string {
	if n.Inside == "" && !p.Gateway && p.ServiceType != schema.NodePort {
		return n.Service
	}
	return n.Inside
}

// ServiceHost is the DNS name of a Service of an exposed cluster.
func ServiceHost(x *Exposed, service string) string {
	return fmt.Sprintf("%s.%s.svc.%s", service, x.Plan.Namespace, cmp.Or(x.Cluster.ClusterDomain, "cluster.local"))
}

// Rewrite leads announced names to Services of the cluster: a question for a name
// that matches is one for the target, in which {1} and {2} stand for what the
// pattern's groups matched. It knows no number of shards, so that scaling needs no change.
type Rewrite struct{ Pattern, Target string }

// RewriteOf is the one rule that leads every announced name of a cluster to the
// Service that has the announced ports; false if there is none, because some name
// has no Service or another for each port.
func RewriteOf(x *Exposed) (rule Rewrite, ok bool) {
	for _, name := range Names(&x.Plan) {
		first := Inside(&x.Plan, name.Nodes[0])
		for _, n := range name.Nodes {
			if service := Inside(&x.Plan, n); service == "" || service != first {
				return Rewrite{}, false
			}
		}
		next, numbered := rewrite(x, name.Hostname, name.Nodes[0])
		if !numbered || rule != (Rewrite{}) && rule != next {
			return Rewrite{}, false
		}
		rule = next
	}
	return rule, rule != Rewrite{}
}

// rewrite puts groups in the place of a node's numbers: of its shard, or of its
// shard and itself.
func rewrite(x *Exposed, host string, n schema.Node) (Rewrite, bool) {
	label, domain, _ := strings.Cut(host, ".")
	prefix, service := x.Cluster.ExternalAccess.EffectiveHostnamePrefix(), Inside(&x.Plan, n)
	for _, form := range []struct{ numbers, groups, references string }{
		{fmt.Sprintf("-%d", n.Shard), `-(\d+)`, "-{1}"},
		{fmt.Sprintf("-%d-%d", n.Shard, n.Index), `-(\d+)-(\d+)`, "-{1}-{2}"},
	} {
		name, numbered := strings.CutSuffix(service, form.numbers)
		if label == prefix+form.numbers && numbered {
			return Rewrite{
				Pattern: "^" + regexp.QuoteMeta(prefix) + form.groups + regexp.QuoteMeta("."+domain) + `\.?$`,
				Target:  ServiceHost(x, name+form.references),
			}, true
		}
	}
	return Rewrite{}, false
}
