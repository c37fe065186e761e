package rules

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// items are the elements of a List, as kubectl tells one: its kind ends in List,
// and it has items.
func (t tree) items() []*yaml.Node {
	items := t.member("items")
	if items == nil || items.Kind != yaml.SequenceNode || !strings.HasSuffix(t.text("kind"), "List") {
		return nil
	}
	return items.Content
}

// list reads the objects inside a List, Lists in it included. A List without a
// cluster with external access is one document, and what is in it has no Source.
// Of any other each object is a document: a List cannot hold what is rendered.
func (r *Rules) list(t tree, source []byte) ([]schema.Document, []schema.Problem) {
	whole := t.identify(source)
	documents := []schema.Document{whole}
	var objects []tree
	if p := t.flatten(&objects, 0); p != nil {
		return documents, []schema.Problem{*p}
	}
	var problems []schema.Problem
	dissolve := false
	for _, o := range objects {
		found, p := r.object(o, nil)
		for i := range p {
			p[i].Path = within(o.within, p[i].Path)
		}
		documents = append(documents, found...)
		problems = append(problems, p...)
		for _, d := range found {
			dissolve = dissolve || d.Cluster != nil
		}
		if len(problems) >= maxProblems {
			return documents, problems
		}
	}
	if !dissolve || schema.Rejects(problems) {
		return documents, problems
	}
	documents = documents[1:]
	for i, o := range objects {
		if documents[i].Source == nil {
			text, err := encode(o.root)
			if err != nil {
				return documents, append(problems, t.problem(o.within, err.Error(), ""))
			}
			documents[i].Source = text
		}
	}
	return documents, problems
}

// flatten lists the objects of a List, and of Lists in it.
func (t tree) flatten(objects *[]tree, depth int) *schema.Problem {
	if depth > maxDepth {
		p := t.problem("", fmt.Sprintf("is nested more than %d levels deep", maxDepth), "")
		return &p
	}
	for i, item := range t.items() {
		item = resolve(item)
		if item.Kind != yaml.MappingNode {
			continue
		}
		inner := t.item(item, within(t.within, fmt.Sprintf("items[%d]", i)))
		if inner.items() != nil {
			if p := inner.flatten(objects, depth+1); p != nil {
				return p
			}
			continue
		}
		*objects = append(*objects, inner)
		if len(*objects) > maxNodes {
			p := t.problem("", "holds more than a million objects", "")
			return &p
		}
	}
	return nil
}

// within is the path of a field of an object inside a List.
func within(object, path string) string {
	if object == "" || path == "" {
		return object + path
	}
	return object + "." + path
}

// encode writes an object as a document of its own.
func encode(n *yaml.Node) ([]byte, error) {
	left := maxNodes / 8
	own, err := detach(n, &left, 0)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(own); err != nil {
		return nil, fmt.Errorf("writing an object of a List: %w", err)
	}
	return out.Bytes(), nil
}

// detach copies a tree with its aliases followed: what they refer to may stand in
// another object.
func detach(n *yaml.Node, left *int, depth int) (*yaml.Node, error) {
	if *left--; *left < 0 || depth > 10*maxDepth {
		return nil, fmt.Errorf("aliases expand to more than can be written out")
	}
	if n.Kind == yaml.AliasNode {
		return detach(n.Alias, left, depth+1)
	}
	own := *n
	own.Anchor, own.Content = "", nil
	for _, c := range n.Content {
		inner, err := detach(c, left, depth+1)
		if err != nil {
			return nil, err
		}
		own.Content = append(own.Content, inner)
	}
	return &own, nil
}
