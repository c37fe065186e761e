package gen

import (
	"encoding/json"
	"fmt"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Sizes of a ConfigMap, in bytes.
const (
	maxConfigMap = 1 << 20   // Kubernetes: MaxSecretSize, for ConfigMaps too
	maxApplied   = 256 << 10 // client-side apply keeps a copy in an annotation: TotalAnnotationSizeLimitB
)

// Check reports what is wrong with rendering the documents together: what one
// document alone cannot show.
func (r *Rendering) Check() []schema.Problem {
	var problems []schema.Problem
	for _, d := range r.documents {
		if d.exposed != nil {
			problems = append(problems, checkSizes(d)...)
			problems = append(problems, checkOptions(d)...)
		}
		if d.err != nil {
			problems = append(problems, d.problem("spec.externalAccess", d.err.Error(), "write them out there"))
		}
	}
	return append(problems, r.conflicts()...)
}

// CheckNamespaces reports the exposed clusters that have no namespace, from the
// document or the options.
func (r *Rendering) CheckNamespaces() []schema.Problem {
	var problems []schema.Problem
	for _, d := range r.exposed() {
		if d.exposed.Plan.Namespace == "" {
			problems = append(problems, d.problem("metadata.namespace", "is missing", "set it, or give --namespace"))
		}
	}
	return problems
}

func checkSizes(d *document) []schema.Problem {
	var problems []schema.Problem
	for _, m := range []struct {
		name string
		data any
	}{
		{plan.AnnounceName(d.Name), d.announced()},
		{schema.PlanName(d.Name), d.exposed.Text},
	} {
		text, err := json.Marshal(m.data)
		size := len(text)
		if err != nil || size <= maxApplied {
			continue
		}
		p := d.problem("spec.shards", fmt.Sprintf("makes ConfigMap %s %d KiB", m.name, size>>10), "")
		if size > maxConfigMap {
			p.Message += ", more than the 1 MiB that Kubernetes takes"
		} else {
			p.Warning = true
			p.Message += ", more than client-side apply takes (256 KiB)"
			p.Hint = "apply with --server-side"
		}
		problems = append(problems, p)
	}
	return problems
}

// checkOptions holds the options against the cluster.
func checkOptions(d *document) []schema.Problem {
	var problems []schema.Problem
	p := &d.exposed.Plan
	if what := unknownAtRender(p); p.Readback == schema.ReadbackNone && what != "" {
		problem := d.problem("spec.externalAccess", "is not announced without a read-back: "+what, "")
		problem.Warning = true
		problems = append(problems, problem)
	}
	if p.RollsLater() && !p.PerNode() {
		problems = append(problems, d.problem("spec.externalAccess.serviceScope", "must be node with --roll later: the Service of a shard leads to ports "+
			"of its pods that running pods do not have", ""))
	}
	// The rules know the cluster's namespace only where the document has it.
	if ref := p.GatewayRef; p.AsksGateway() && p.Namespace != "" && ref.Namespace != p.Namespace {
		problems = append(problems, d.problem("spec.externalAccess.address", fmt.Sprintf("is required with preferredEndpointType: address: "+
			"the Gateway is in namespace %s, the cluster in %s, and the read-back Job may not read its status there", ref.Namespace, p.Namespace), ""))
	}
	// A CronJob adds 11 characters to the names of its Jobs: 52 is its limit.
	if name := schema.ReadbackName(d.Name); p.Readback == schema.ReadbackCronJob && len(name) > 52 {
		problems = append(problems, d.problem("metadata.name", fmt.Sprintf("is too long: CronJob %s would pass 52 characters", name), ""))
	}
	return problems
}

// unknownAtRender says what of the announcement is known only in the cluster, "" if
// all is known.
func unknownAtRender(p *schema.Plan) string {
	switch {
	case !p.PrefersHostname():
		return ""
	case !p.Gateway && p.ServiceType == schema.NodePort:
		return "node ports are known only once Kubernetes has allocated them"
	case p.AwaitsAddress(p.Nodes[0]) && p.Gateway:
		return "the address is known only once the Gateway has it"
	case p.AwaitsAddress(p.Nodes[0]):
		return "addresses are known only once the load balancers have them"
	}
	return ""
}
