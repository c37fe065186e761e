package rules

import (
	"bytes"
	"fmt"

	"cuelang.org/go/cue/ast"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Limits of an input.
const (
	// MaxFile is the size of the largest file, in bytes.
	MaxFile = 8 << 20
	// maxProblems is how many problems of a file are looked for. Who has a
	// thousand has another one first.
	maxProblems = 1000
	// maxClusters is how many ValkeyClusters with external access a file may
	// hold: CUE keeps what it has evaluated.
	maxClusters = 200
	// maxDocument is the size of the largest ValkeyCluster; etcd takes no
	// larger request by default.
	maxDocument = 3 << 19
)

// Check reads a stream of Kubernetes objects and holds every ValkeyCluster in
// it against the rules. It returns the documents in source order, and every
// problem and warning, in source order. The name is the file's, for positions.
//
// A document with a problem has no Cluster; the others can still be used.
func (r *Rules) Check(name string, stream []byte) ([]schema.Document, []schema.Problem) {
	whole := func(format string, args ...any) ([]schema.Document, []schema.Problem) {
		return nil, []schema.Problem{{
			Position: schema.Position{File: name, Line: 1, Column: 1},
			Message:  fmt.Sprintf(format, args...),
		}}
	}
	switch {
	case len(stream) > MaxFile:
		return whole("is larger than %d MiB", MaxFile>>20)
	case bytes.IndexByte(stream, 0) >= 0:
		return whole("is no text: it holds a zero byte; YAML and JSON are read as UTF-8")
	}
	var documents []schema.Document
	var problems []schema.Problem
	objects, clusters := 0, 0
	for _, c := range split(stream) {
		document, found := r.document(name, c)
		if !document.Empty() || len(found) > 0 {
			objects++
		}
		if document.Cluster != nil {
			clusters++
		}
		documents = append(documents, document)
		problems = append(problems, found...)
		if clusters > maxClusters {
			problems = append(problems, schema.Problem{
				Position: document.Locate(""),
				Message:  fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with external access", maxClusters),
			})
			break
		}
		if len(problems) >= maxProblems {
			problems = append(problems, schema.Problem{
				Position: schema.Position{File: name, Line: c.line, Column: 1},
				Message:  "is where reading stopped: there may be more problems below",
			})
			break
		}
	}
	if objects == 0 {
		return whole("is empty: no Kubernetes object in it")
	}
	schema.SortProblems(problems)
	return documents, problems
}

// document reads one document of a stream.
func (r *Rules) document(file string, c chunk) (schema.Document, []schema.Problem) {
	d := schema.Document{Source: c.source}
	if c.blank() {
		return d, nil
	}
	source := schema.PlainYAML(c.source)
	t, syntax := parse(file, chunk{source, c.line})
	if syntax != nil {
		return d, []schema.Problem{*syntax}
	}
	if t.root == nil || t.root.Kind == yaml.ScalarNode && t.root.Tag == "!!null" {
		return d, nil
	}
	if t.root.Kind != yaml.MappingNode {
		return d, t.problem("", "is no Kubernetes object", "a mapping with apiVersion and kind is expected")
	}
	d.APIVersion, d.Kind = t.text("apiVersion"), t.text("kind")
	d.Namespace, d.Name = t.text("metadata", "namespace"), t.text("metadata", "name")
	d.Locate = t.locate
	if d.Kind == "" {
		return d, t.problem("", "is no Kubernetes object: it has no kind", "")
	}
	if !d.IsCluster() {
		return d, t.nested()
	}
	if len(c.source) > maxDocument {
		return d, t.problem("", fmt.Sprintf("is larger than the %d KiB an API server takes", maxDocument>>10), "")
	}
	problems := t.structure()
	for _, p := range problems {
		if p.Path == "" { // too deep to be evaluated
			return d, problems
		}
	}
	data, err := extract(source)
	if err != nil {
		return d, append(problems, t.syntaxError(err))
	}
	if !declared(data) {
		return d, problems // the rules say nothing about such a cluster
	}
	if n := size(data); n > maxFields {
		return d, append(problems, t.problem("spec", fmt.Sprintf("has %d fields and elements that must be checked, more than %d", n, maxFields), "")...)
	}
	problems = append(problems, r.check(data, t)...)
	if schema.Rejects(problems) {
		return d, problems
	}
	d.Cluster, err = r.cluster(data)
	if err != nil {
		return d, t.problem("", err.Error(), "")
	}
	return d, problems
}

// check holds a document against the rules.
func (r *Rules) check(data *ast.StructLit, t tree) []schema.Problem {
	var problems []schema.Problem
	// Warnings first: they leave the data as it is.
	for _, f := range r.evaluate(data, r.warnings) {
		if f.rule {
			p := r.problem(f, t)
			p.Warning = true
			problems = append(problems, p)
		}
	}
	for _, f := range r.evaluate(data, r.shape, r.definition) {
		problems = append(problems, r.problem(f, t))
	}
	return problems
}

func (t tree) problem(path, message, hint string) []schema.Problem {
	return []schema.Problem{{Position: t.locate(path), Path: path, Message: message, Hint: hint}}
}

// nested reports ValkeyClusters with external access inside a List, where they
// would be passed over in silence.
func (t tree) nested() []schema.Problem {
	var problems []schema.Problem
	_, items := lookup(t.root, "items")
	if items == nil || items.Kind != yaml.SequenceNode {
		return nil
	}
	for i, item := range items.Content {
		_, kind := lookup(item, "kind")
		_, spec := lookup(item, "spec")
		if _, block := lookup(spec, "externalAccess"); kind != nil && kind.Value == schema.Kind && block != nil {
			path := fmt.Sprintf("items[%d]", i)
			problems = append(problems, schema.Problem{
				Position: t.locate(path),
				Path:     path,
				Message:  "a ValkeyCluster inside a List is not read",
				Hint:     "make it a document of its own",
			})
		}
	}
	return problems
}
