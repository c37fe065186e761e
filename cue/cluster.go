package rules

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// single reads an object that is no List as a document of its own. Without a source it is one
// inside a List.
func (r *Rules) single(o stream.Object, source []byte) (schema.Document, []schema.Problem) {
	d := o.Document(source)
	problems := r.cluster(&d, o)
	return d, problems
}

// cluster holds an object against the rules if it is a ValkeyCluster with the
// block, and reads it.
func (r *Rules) cluster(d *schema.Document, o stream.Object) []schema.Problem {
	if d.Kind == "" && (o.Within == "" || o.Member("spec", "externalAccess") != nil) {
		return []schema.Problem{o.Problem("", "is no Kubernetes object: it has no kind", "")}
	}
	if !d.IsCluster() {
		return notCluster(o, *d)
	}
	if !declares(o) {
		return misspelt(o) // the rules say nothing about such a cluster
	}
	source := d.Source
	if source == nil {
		var err error
		if source, err = o.Encode(); err != nil {
			return []schema.Problem{o.Problem("", err.Error(), "")}
		}
	}
	if len(source) > stream.MaxDocument {
		return []schema.Problem{o.Problem("", fmt.Sprintf("is larger than the %d KiB an API server takes", stream.MaxDocument>>10), "")}
	}
	if problems := o.OddLineEnds(); problems != nil {
		return problems
	}
	problems, inBlock := yamlProblems(o)
	for _, p := range problems {
		if p.Path == "" { // too deep or too large to be evaluated
			return problems
		}
	}
	data, err := extract(yamledit.WithoutTabs(source))
	if err != nil {
		return append(problems, o.SyntaxError(err, source))
	}
	if n := size(data); n > maxFields {
		return append(problems, o.Problem("spec", fmt.Sprintf("has %d fields and elements that must be checked, more than %d", n, maxFields), ""))
	}
	found := slices.DeleteFunc(r.brokenRules(data, o), func(p schema.Problem) bool {
		// Numbers that CUE cannot read either are reported already.
		return strings.HasPrefix(p.Message, "parse error: illegal number") &&
			slices.ContainsFunc(problems, func(known schema.Problem) bool { return known.Path == p.Path })
	})
	problems = slices.Concat(problems, taken(inBlock, found), exported(o), found)
	if schema.Rejects(problems) {
		return problems
	}
	cluster, err := r.read(data)
	if err != nil {
		return []schema.Problem{o.Problem("", err.Error(), "")}
	}
	d.Cluster, d.Source = cluster, source
	return problems
}

// taken are the problems of those values that the rules take. What stands in the
// block, and is taken, is what a field of the rules asks for.
func taken(all, found []schema.Problem) []schema.Problem {
	return slices.DeleteFunc(all, func(p schema.Problem) bool {
		return slices.ContainsFunc(found, func(f schema.Problem) bool { return !f.Warning && below(p.Path, f.Path) })
	})
}

// declares reports whether a ValkeyCluster has an externalAccess field at all, or
// no spec that could have one.
func declares(o stream.Object) bool {
	_, spec := stream.Lookup(o.Root, "spec")
	if spec == nil {
		return false
	}
	if spec = stream.Resolve(spec); spec.Kind != yaml.MappingNode {
		return true
	}
	_, block := stream.Lookup(spec, "externalAccess")
	return block != nil
}

// brokenRules are the rules that a document breaks, as problems at their places.
func (r *Rules) brokenRules(data *ast.StructLit, o stream.Object) []schema.Problem {
	var problems []schema.Problem
	// Warnings first: looking for errors changes the data.
	for _, f := range r.validate(data, "#Warnings") {
		if f.rule && !slices.ContainsFunc(problems, func(p schema.Problem) bool { return p.Path == f.at() && p.Message == f.message }) {
			p := r.explain(f, o)
			p.Warning = true
			problems = append(problems, p)
		}
	}
	// Most documents are right, and known to be after one look.
	if len(r.validate(data, "#ValkeyCluster")) == 0 {
		return problems
	}
	for _, f := range r.evaluate(data, "#Shape", "#ValkeyCluster") {
		problems = append(problems, r.explain(f, o))
	}
	return problems
}
