package gen

import (
	"fmt"
	"regexp"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Exposed are the clusters with external access, and what follows from each.
func (r *Rendering) Exposed() []*plan.Exposed {
	var all []*plan.Exposed
	for _, d := range r.exposed() {
		all = append(all, d.exposed)
	}
	return all
}

// CheckNames reports the exposed clusters that announce nothing a DNS could know.
func (r *Rendering) CheckNames() []schema.Problem {
	problems := r.CheckNamespaces()
	for _, d := range r.exposed() {
		p := &d.exposed.Plan
		switch {
		case p.PrefersAddress():
			problems = append(problems, d.problem("spec.externalAccess.preferredEndpointType", "is address: what is announced is no name of the domain's, and needs no record here", ""))
		case len(plan.Names(p)) == 0:
			problems = append(problems, d.problem("spec.externalAccess", "announces no hostname, so a DNS has nothing to know", "with a domain it does"))
		}
	}
	return problems
}

// CheckInside reports the exposed clusters whose names cannot be led to Services of
// the cluster, and names of one that the rule of another would lead away.
func (r *Rendering) CheckInside() []schema.Problem {
	problems := r.CheckNames()
	all := r.exposed()
	for _, d := range all {
		p := &d.exposed.Plan
		if len(plan.Names(p)) == 0 {
			continue
		}
		rule, ok := plan.RewriteOf(d.exposed)
		if !ok {
			problems = append(problems, notInside(d))
			continue
		}
		catches := regexp.MustCompile(rule.Pattern)
		for _, other := range all {
			for _, name := range plan.Names(&other.exposed.Plan) {
				if other != d && catches.MatchString(name.Hostname) {
					problems = append(problems, d.problem("spec.externalAccess.domain", fmt.Sprintf(
						"makes a rule that also leads %s of ValkeyCluster %s to this cluster", name.Hostname, other.Name), "give one of them another domain or hostnamePrefix"))
					break
				}
			}
		}
	}
	return problems
}

// notInside says why no Service has the announced ports, and what to do.
func notInside(d *document) schema.Problem {
	p := &d.exposed.Plan
	if !p.Gateway && p.ServiceType == schema.NodePort {
		return d.problem("spec.externalAccess.serviceType",
			"is NodePort: Kubernetes allocates those ports, so no Service inside has them before they are announced",
			"names that resolve to machines which pods reach need no rule; where pods do not reach them, use LoadBalancer or a gateway")
	}
	if p.Gateway && !d.exposed.Cluster.ExternalAccess.SplitHorizon {
		return d.problem("spec.externalAccess", "renders no Services inside that have the gateway's ports", "set splitHorizon: true, render and apply")
	}
	return d.problem("spec.externalAccess", "has announced names for which no one Service inside has all ports", "")
}
