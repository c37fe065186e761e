package rules

import (
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// CheckItems is Check for objects that were parsed already. What is known of a
// place is a name of the item's. It returns the documents of each item; only those
// that have a Source are others than the item itself.
func (r *Rules) CheckItems(items []*yaml.Node, name func(i int) string) ([][]schema.Document, []schema.Problem) {
	f := file{rules: r}
	all := make([][]schema.Document, len(items))
	for i, item := range items {
		t := tree{file: name(i), root: item}
		documents, problems := r.item(t)
		all[i] = documents
		f.add(documents, bound(problems))
		if f.full(t.position(item)) {
			break
		}
	}
	return all, f.problems
}

func (r *Rules) item(t tree) (documents []schema.Document, problems []schema.Problem) {
	defer func() {
		if v := recover(); v != nil {
			documents, problems = nil, fault(v, t.position(t.root))
		}
	}()
	if t.root.Kind != yaml.MappingNode {
		return nil, []schema.Problem{t.noObject()}
	}
	return r.object(t, nil)
}

// WithoutAliases replaces the aliases in objects by what they refer to, so that
// each stands for itself. Objects without one stay as they are.
func WithoutAliases(objects []*yaml.Node) ([]*yaml.Node, error) {
	left := maxNodes // which ends an anchor that contains itself, too
	all := make([]*yaml.Node, len(objects))
	for i, n := range objects {
		all[i] = n
		if !aliased(n) {
			continue
		}
		var err error
		if all[i], err = detach(n, &left, 0); err != nil {
			return nil, err
		}
	}
	return all, nil
}
