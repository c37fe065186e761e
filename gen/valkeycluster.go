package gen

import (
	"cmp"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/schema"
)

// valkeyCluster is the text of a cluster's document as it is rendered: the
// input, less the block, which no released CRD has, unless it is to be kept. Of
// an exposed cluster the status goes too; the namespace and the marker come. What
// an API server sets goes in any case.
//
// Without any namespace another one stands in: whether the document can be edited
// does not depend on it.
func valkeyCluster(d schema.Document, o Options, way inject.Way) ([]byte, error) {
	var edits []edit
	if d.Cluster.Exposed() {
		if d.Cluster.Namespace == "" {
			edits = append(edits, setNamespace(cmp.Or(o.Namespace, "default")))
		}
		if way.Marker {
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

// withNamespace is the text of a cluster that is not exposed with a namespace
// where it has none. One that cannot be edited in place is left as it is.
func withNamespace(text []byte, namespace string) []byte {
	if placed, err := edited(text, setNamespace(namespace)); err == nil {
		return placed
	}
	return text
}
