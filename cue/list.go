package rules

import (
	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
)

// object reads one object, or a List of them. Without a source it was
// parsed elsewhere, and gets a document of its own if it has the block.
func (r *Rules) object(o stream.Object, source []byte) ([]schema.Document, []schema.Problem) {
	if o.IsList() {
		return r.list(o, source)
	}
	d, problems := r.single(o, source)
	return []schema.Document{d}, problems
}

// list reads the objects inside a List, Lists in it included. A List without a
// cluster with external access is one document, and what is in it has no Source.
// Of any other each object is a document: a List cannot hold what is rendered.
func (r *Rules) list(o stream.Object, source []byte) ([]schema.Document, []schema.Problem) {
	documents := []schema.Document{o.Document(source)}
	objects, problem := o.Objects()
	if problem != nil {
		return documents, []schema.Problem{*problem}
	}
	var problems []schema.Problem
	dissolve := false
	for _, o := range objects {
		d, p := r.single(o, nil)
		for i := range p {
			p[i].Path = o.PathInDocument(p[i].Path)
		}
		documents = append(documents, d)
		problems = append(problems, p...)
		dissolve = dissolve || d.Cluster != nil
		if len(problems) >= maxProblems {
			return documents, problems
		}
	}
	if !dissolve || schema.Rejects(problems) {
		return documents, problems
	}
	documents = documents[1:]
	for i, o := range objects {
		if documents[i].Kind == "" { // alone it would not be read again
			p := o.Problem("", "is no Kubernetes object: it has no kind", "")
			p.Path = o.Within
			problems = append(problems, p)
			continue
		}
		if documents[i].Source == nil {
			text, err := o.Encode()
			if err != nil {
				return documents, append(problems, o.Problem(o.Within, err.Error(), ""))
			}
			documents[i].Source = text
		}
	}
	return documents, problems
}
