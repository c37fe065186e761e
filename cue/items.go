package rules

import (
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
)

// CheckItems is Check for objects that were parsed already. What is known of a
// place is a name of the item's. It returns the documents of each item; only those
// that have a Source are others than the item itself.
func (r *Rules) CheckItems(items []*yaml.Node, name func(i int) string) ([][]schema.Document, []schema.Problem) {
	var found result
	all := make([][]schema.Document, len(items))
	for i, item := range items {
		o := stream.Parsed(name(i), item)
		documents, problems := r.item(o)
		all[i] = documents
		found.add(documents, bound(problems))
		if found.full(o.Position(item)) {
			break
		}
	}
	return all, found.problems
}

func (r *Rules) item(o stream.Object) (documents []schema.Document, problems []schema.Problem) {
	defer func() {
		if v := recover(); v != nil {
			documents, problems = nil, fault(v, o.Position(o.Root))
		}
	}()
	if o.Root.Kind != yaml.MappingNode {
		return nil, []schema.Problem{notObject(o)}
	}
	return r.object(o, nil)
}
