package rules

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
)

// Check reads a stream of Kubernetes objects and holds every ValkeyCluster in
// it against the rules. It returns the documents in source order, and every
// problem and warning, in source order. The name is the file's, for positions.
//
// A document with a problem has no Cluster; the others can still be used.
func (r *Rules) Check(name string, text []byte) ([]schema.Document, []schema.Problem) {
	whole := func(format string, args ...any) ([]schema.Document, []schema.Problem) {
		return nil, []schema.Problem{{
			Position: schema.Position{File: name, Line: 1, Column: 1},
			Message:  fmt.Sprintf(format, args...),
		}}
	}
	switch {
	case len(text) > MaxFile:
		return whole("is larger than %d MiB", MaxFile>>20)
	case bytes.IndexByte(text, 0) >= 0:
		return whole("is no text: it holds a zero byte; YAML and JSON are read as UTF-8")
	}
	var found result
	reader := stream.NewReader(name)
	for c, problem := range reader.Documents(text) {
		at := c.Position(name)
		switch {
		case problem != nil:
			at = problem.Position
			found.add([]schema.Document{{Source: c.Source}}, []schema.Problem{*problem})
		case c.Blank():
			found.addBlank(c.Source)
		default:
			documents, problems := r.document(reader, name, c)
			found.add(documents, bound(problems))
			if d := documents[len(documents)-1]; d.Cluster != nil {
				at = d.Locate("")
			}
		}
		if found.full(at) {
			break
		}
	}
	if found.objects == 0 {
		return whole("is empty: no Kubernetes object in it")
	}
	schema.SortProblems(found.problems)
	return found.documents, found.problems
}

// document reads one document of a stream. Whatever goes wrong in it is reported
// of it, and of no other: parsers have been seen to panic.
func (r *Rules) document(reader *stream.Reader, name string, c stream.Chunk) (documents []schema.Document, problems []schema.Problem) {
	defer func() {
		if v := recover(); v != nil {
			documents = []schema.Document{{Source: c.Source}}
			problems = fault(v, c.Position(name))
		}
	}()
	nothing := []schema.Document{{Source: c.Source}}
	o, problem := reader.Parse(c)
	switch {
	case problem != nil:
		return nothing, []schema.Problem{*problem}
	case o.Root == nil || o.Root.Kind == yaml.ScalarNode && o.Root.Tag == "!!null":
		return nothing, nil
	case o.Root.Kind != yaml.MappingNode:
		return nothing, []schema.Problem{notObject(o)}
	}
	return r.object(o, c.Source)
}

// fault is a panic as a problem.
func fault(v any, at schema.Position) []schema.Problem {
	return []schema.Problem{{
		Position: at,
		Message:  fmt.Sprintf("cannot be read: %v", v),
		Hint:     "this is a fault of valkey-expose; please report it with the document",
	}}
}

// notObject reports what is no mapping.
func notObject(o stream.Object) schema.Problem {
	return o.Problem("", "is no Kubernetes object", "a mapping with apiVersion and kind is expected")
}
