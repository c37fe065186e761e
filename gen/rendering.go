package gen

import (
	"slices"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/gen/valkeycluster"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Rendering is the documents of one run and what follows from them. Everything is
// worked out once, whatever is asked of it and how often. It is not for use by
// several goroutines.
type Rendering struct {
	options   Options
	way       inject.Way
	documents []*document
}

// New works out what follows from documents that passed the rules.
func New(documents []schema.Document, o Options) *Rendering {
	r := &Rendering{options: o, way: inject.Named(o.Inject)}
	for _, d := range documents {
		known := &document{Document: d, text: d.Source}
		if d.Cluster != nil {
			if d.Cluster.Exposed() {
				known.exposed = plan.Of(d.Cluster, o)
			}
			known.text, known.err = valkeycluster.Text(d, o, r.way.Marker && o.Roll == schema.RollNow)
		}
		r.documents = append(r.documents, known)
	}
	return r
}

// Part is the rendering of some of the documents, from one index to before
// another: what is worked out is handed on.
func (r *Rendering) Part(from, to int) *Rendering {
	return &Rendering{options: r.options, way: r.way, documents: r.documents[from:to]}
}

// Plans are those of the clusters with external access.
func (r *Rendering) Plans() []schema.Plan {
	var all []schema.Plan
	for _, d := range r.exposed() {
		all = append(all, d.exposed.Plan)
	}
	return all
}

// HasCluster reports whether any document is a ValkeyCluster, with or without
// external access.
func (r *Rendering) HasCluster() bool {
	return slices.ContainsFunc(r.documents, func(d *document) bool { return d.IsCluster() })
}

func (r *Rendering) exposed() []*document {
	var all []*document
	for _, d := range r.documents {
		if d.exposed != nil {
			all = append(all, d)
		}
	}
	return all
}
