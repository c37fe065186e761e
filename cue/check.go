package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
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
	// maxBlocks is how many may have the block, enabled or not: each takes a
	// millisecond or two.
	maxBlocks = 2000
	// maxObjects is how many documents a file may hold. One that is of use has
	// 80 bytes.
	maxObjects = 200_000
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
	f := file{rules: r, locator: &locator{file: name}}
	for c := range split(stream) {
		if !f.chunk(c) {
			break
		}
	}
	if f.objects == 0 {
		return whole("is empty: no Kubernetes object in it")
	}
	schema.SortProblems(f.problems)
	return f.documents, f.problems
}

// file is what was read of a file.
type file struct {
	rules     *Rules
	locator   *locator
	documents []schema.Document
	problems  []schema.Problem
	objects   int  // or what is none and should be
	exposed   int  // clusters with external access
	blocks    int  // clusters with the block
	blank     bool // the last document holds nothing
}

// chunk reads what stands between two markers. It is false if reading stops.
func (f *file) chunk(c chunk) bool {
	bare, problem := c.unmarked(f.locator.file)
	if problem == nil {
		problem = bare.behindMarker(f.locator.file)
	}
	if problem != nil {
		f.add([]schema.Document{{Source: c.source}}, []schema.Problem{*problem})
		return !f.full(problem.Position)
	}
	if bare.blank() {
		f.nothing(bare.source)
		return !f.full(schema.Position{File: f.locator.file, Line: c.line, Column: 1})
	}
	for piece, problem := range bare.pieces(f.locator.file) {
		if problem != nil {
			f.add([]schema.Document{{Source: piece.source}}, []schema.Problem{*problem})
			break
		}
		documents, problems := f.rules.document(f.locator, piece)
		f.add(documents, bound(problems))
		at := schema.Position{File: f.locator.file, Line: piece.line, Column: 1}
		if d := documents[len(documents)-1]; d.Cluster != nil {
			at = d.Locate("")
		}
		if f.full(at) {
			return false
		}
	}
	return true
}

// full reports whether reading stops at a place, and why.
func (f *file) full(at schema.Position) bool {
	var message string
	switch {
	case f.exposed > maxClusters:
		message = fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with external access", maxClusters)
	case f.blocks > maxBlocks:
		message = fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with spec.externalAccess", maxBlocks)
	case len(f.documents) > maxObjects:
		message = fmt.Sprintf("is one document too many: a file holds %d", maxObjects)
	case len(f.problems) >= maxProblems:
		message = "is where reading stopped: there may be more problems below"
	default:
		return false
	}
	f.problems = append(f.problems, schema.Problem{Position: at, Message: message})
	return true
}

func (f *file) add(documents []schema.Document, problems []schema.Problem) {
	for _, d := range documents {
		if d.Cluster != nil {
			f.blocks++
			if d.Cluster.Exposed() {
				f.exposed++
			}
		}
		if !d.Empty() {
			f.objects++
		}
	}
	if len(problems) > 0 {
		f.objects++
	}
	f.documents = append(f.documents, documents...)
	f.problems = append(f.problems, problems...)
	f.blank = false
}

// nothing adds what holds no object. What follows it at once is one document with
// it: a file may hold millions of markers.
func (f *file) nothing(source []byte) {
	if f.blank {
		last := &f.documents[len(f.documents)-1]
		if n := len(last.Source); cap(last.Source) > n && &last.Source[:n+1][n] == &source[0] {
			last.Source = last.Source[:n+len(source)]
			return
		}
	}
	f.documents = append(f.documents, schema.Document{Source: source})
	f.blank = true
}

// document reads one document of a stream. Whatever goes wrong in it is told of
// it, and of no other: parsers have been seen to panic.
func (r *Rules) document(l *locator, c chunk) (documents []schema.Document, problems []schema.Problem) {
	defer func() {
		if v := recover(); v != nil {
			documents = []schema.Document{{Source: c.source}}
			problems = fault(v, schema.Position{File: l.file, Line: c.line, Column: c.column + 1})
		}
	}()
	nothing := []schema.Document{{Source: c.source}}
	t, problem := l.parse(c)
	switch {
	case problem != nil:
		return nothing, []schema.Problem{*problem}
	case t.root == nil || t.root.Kind == yaml.ScalarNode && t.root.Tag == "!!null":
		return nothing, nil
	case t.root.Kind != yaml.MappingNode:
		return nothing, []schema.Problem{t.noObject()}
	}
	return r.object(t, c.source)
}

// fault is a panic as a problem.
func fault(v any, at schema.Position) []schema.Problem {
	return []schema.Problem{{
		Position: at,
		Message:  fmt.Sprintf("cannot be read: %v", v),
		Hint:     "this is a fault of valkey-expose; please report it with the document",
	}}
}

func (t tree) noObject() schema.Problem {
	return t.problem("", "is no Kubernetes object", "a mapping with apiVersion and kind is expected")
}

// object reads one object, or a List of them. Without a source it is one inside a
// List, and gets a document of its own if it has the block.
func (r *Rules) object(t tree, source []byte) ([]schema.Document, []schema.Problem) {
	if t.items() != nil {
		return r.list(t, source)
	}
	d := t.identify(source)
	problems := r.cluster(&d, t)
	return []schema.Document{d}, problems
}

// identify fills in what an object is.
func (t tree) identify(source []byte) schema.Document {
	return schema.Document{
		Source:     source,
		APIVersion: t.text("apiVersion"), Kind: t.text("kind"),
		Namespace: t.text("metadata", "namespace"), Name: t.text("metadata", "name"),
		Within: t.within,
		Locate: t.locator(),
	}
}

// cluster holds an object against the rules if it is a ValkeyCluster with the
// block, and reads it.
func (r *Rules) cluster(d *schema.Document, t tree) []schema.Problem {
	if d.Kind == "" && (t.within == "" || t.member("spec", "externalAccess") != nil) {
		return []schema.Problem{t.problem("", "is no Kubernetes object: it has no kind", "")}
	}
	if !d.IsCluster() {
		return t.meant(*d)
	}
	if !t.declares() {
		return t.misspelt() // the rules say nothing about such a cluster
	}
	source := d.Source
	if source == nil {
		var err error
		if source, err = encode(t.root); err != nil {
			return []schema.Problem{t.problem("", err.Error(), "")}
		}
	}
	if len(source) > maxDocument {
		return []schema.Problem{t.problem("", fmt.Sprintf("is larger than the %d KiB an API server takes", maxDocument>>10), "")}
	}
	if problems := t.oddLineEnds(); problems != nil {
		return problems
	}
	problems := t.structure()
	for _, p := range problems {
		if p.Path == "" { // too deep or too large to be evaluated
			return problems
		}
	}
	data, err := extract(yamledit.WithoutTabs(source))
	if err != nil {
		return append(problems, t.syntaxError(err, source))
	}
	if n := size(data); n > maxFields {
		return append(problems, t.problem("spec", fmt.Sprintf("has %d fields and elements that must be checked, more than %d", n, maxFields), ""))
	}
	found := slices.DeleteFunc(r.check(data, t), func(p schema.Problem) bool {
		// Numbers that are none to CUE either have been told of.
		return strings.HasPrefix(p.Message, "parse error: illegal number") &&
			slices.ContainsFunc(problems, func(told schema.Problem) bool { return told.Path == p.Path })
	})
	problems = slices.Concat(problems, t.exported(), found)
	if schema.Rejects(problems) {
		return problems
	}
	cluster, err := r.read(data)
	if err != nil {
		return []schema.Problem{t.problem("", err.Error(), "")}
	}
	d.Cluster, d.Source = cluster, source
	return problems
}

// declares reports whether a ValkeyCluster has an externalAccess field at all, or
// no spec that could have one.
func (t tree) declares() bool {
	_, spec := lookup(t.root, "spec")
	if spec == nil {
		return false
	}
	if spec = resolve(spec); spec.Kind != yaml.MappingNode {
		return true
	}
	_, block := lookup(spec, "externalAccess")
	return block != nil
}

// check holds a document against the rules.
func (r *Rules) check(data *ast.StructLit, t tree) []schema.Problem {
	var problems []schema.Problem
	// Warnings first: looking for errors changes the data.
	for _, f := range r.validate(data, r.warnings) {
		if f.rule && !slices.ContainsFunc(problems, func(p schema.Problem) bool { return p.Path == f.at() && p.Message == f.message }) {
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
