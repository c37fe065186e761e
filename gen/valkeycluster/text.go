package valkeycluster

import (
	"cmp"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Text is a cluster's document as it is rendered: the
// input, less the block, which no released CRD has, unless it is to be kept. Of
// an exposed cluster the status goes too; the namespace comes, and the marker where
// the pods are to be rolled. What an API server sets goes in any case.
//
// Without any namespace another one stands in: whether the document can be edited
// does not depend on it.
func Text(d schema.Document, o plan.Options, marked bool) ([]byte, error) {
	var edits []edit
	if d.Cluster.Exposed() {
		if d.Cluster.Namespace == "" {
			edits = append(edits, setNamespace(cmp.Or(o.Namespace, "default")))
		}
		if marked {
			edits = append(edits, setMarker(o.KeepBlock)) // the block still marks the place
		}
		edits = append(edits, remove("status"))
	}
	if !o.KeepBlock {
		edits = append(edits, remove("spec", "externalAccess"))
	}
	for _, path := range schema.ServerOwned {
		edits = append(edits, remove(path...))
	}
	return edited(d.Source, edits...)
}

// WithNamespace is the text of a cluster that is not exposed with a namespace
// where it has none. One that cannot be edited in place is left as it is.
func WithNamespace(text []byte, namespace string) []byte {
	if placed, err := edited(text, setNamespace(namespace)); err == nil {
		return placed
	}
	return text
}
