package gen

import (
	"encoding/json"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Sizes of a ConfigMap, in bytes.
const (
	maxConfigMap = 1 << 20   // Kubernetes: MaxSecretSize, for ConfigMaps too
	maxApplied   = 256 << 10 // client-side apply keeps a copy in an annotation: TotalAnnotationSizeLimitB
)

// Check reports what is wrong with rendering the documents together: what one
// document alone cannot show.
func Check(documents []schema.Document, o Options) []schema.Problem {
	var problems []schema.Problem
	for _, d := range documents {
		if d.Cluster == nil {
			continue
		}
		if exposed(d) {
			problems = append(problems, checkSizes(d, o)...)
			problems = append(problems, checkOptions(d, o)...)
		}
		if _, err := valkeyCluster(d, withNamespace(o)); err != nil {
			problems = append(problems, at(d, "spec.externalAccess", err.Error(), "write them out there"))
		}
	}
	return append(problems, conflicts(documents, o)...)
}

// CheckNamespaces reports the exposed clusters that have no namespace, from the
// document or the options.
func CheckNamespaces(documents []schema.Document, o Options) []schema.Problem {
	var problems []schema.Problem
	for _, d := range Exposed(documents) {
		if namespaceOf(d.Cluster, o.Namespace) == "" {
			problems = append(problems, at(d, "metadata.namespace", "is missing", "set it, or give --namespace"))
		}
	}
	return problems
}

func at(d schema.Document, path, message, hint string) schema.Problem {
	p := schema.Problem{Position: d.Locate(path), Path: path, Message: message, Hint: hint}
	if d.Within != "" {
		p.Path = d.Within + "." + path
	}
	return p
}

// withNamespace fills in any namespace, to try what does not depend on it.
func withNamespace(o Options) Options {
	if o.Namespace == "" {
		o.Namespace = "default"
	}
	return o
}

func checkSizes(d schema.Document, o Options) []schema.Problem {
	b := newBuilder(d.Cluster, o)
	plan, err := b.planText()
	if err != nil {
		return []schema.Problem{at(d, "spec.shards", err.Error(), "")}
	}
	var problems []schema.Problem
	for _, m := range []struct {
		name string
		data any
	}{
		{announceName(d.Name), b.announce()},
		{schema.PlanName(d.Name), plan},
	} {
		text, err := json.Marshal(m.data)
		size := len(text)
		if err != nil || size <= maxApplied {
			continue
		}
		p := at(d, "spec.shards", fmt.Sprintf("makes ConfigMap %s %d KiB", m.name, size>>10), "")
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
func checkOptions(d schema.Document, o Options) []schema.Problem {
	var problems []schema.Problem
	access := d.Cluster.ExternalAccess
	if o.Readback == ReadbackNone && access.PrefersHostname() && access.Gateway == nil && access.EffectiveServiceType() == schema.NodePort {
		p := at(d, "spec.externalAccess", "is announced by nobody without a read-back: node ports are known only once Kubernetes has allocated them", "")
		p.Warning = true
		problems = append(problems, p)
	}
	// A CronJob adds 11 characters to the names of its Jobs: 52 is its limit.
	if name := schema.ReadbackName(d.Name); o.Readback == ReadbackCronJob && len(name) > 52 {
		problems = append(problems, at(d, "metadata.name", fmt.Sprintf("is too long: CronJob %s would pass 52 characters", name), ""))
	}
	return problems
}
