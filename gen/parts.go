package gen

import (
	"fmt"
	"slices"
)

// parts lists the documents that those of the input become. A text is that of a
// document as it stands in the output.
func (r *Rendering) parts(text func(*document) []byte) ([]part, error) {
	first := r.firstCluster()
	var all []part
	for i, d := range r.documents {
		file := clusterFile
		if i < first {
			file = firstFile
		}
		if d.err != nil {
			return nil, fmt.Errorf("%s: %w", d.Locate("spec.externalAccess"), d.err)
		}
		var around objectParts
		if d.exposed != nil {
			if d.exposed.Plan.Namespace == "" {
				return nil, fmt.Errorf("%s: %s %s has no namespace", d.Locate("metadata.namespace"), d.Kind, d.Name)
			}
			objects, err := d.render(r.way)
			if err != nil {
				return nil, err
			}
			file, around = clusterFile, *objects
		}
		all = append(all, around.before...)
		// Without the operator, the ValkeyCluster is the declaration and no object.
		if declared := d.Cluster != nil && r.way.Unmanaged; d.text != nil && !declared {
			all = append(all, part{file: file, text: text(d)})
		}
		all = append(all, around.after...)
	}
	return all, nil
}

// firstCluster is the index of the document before which all others are applied
// first: the first with external access, else the first ValkeyCluster; 0 if there
// is nothing before it, or it is nowhere.
func (r *Rendering) firstCluster() int {
	first := slices.IndexFunc(r.documents, func(d *document) bool { return d.exposed != nil })
	if first < 0 {
		first = slices.IndexFunc(r.documents, func(d *document) bool { return d.IsCluster() })
	}
	if first >= 0 && !slices.ContainsFunc(r.documents[:first], func(d *document) bool { return !d.Empty() }) {
		return 0 // nothing but comments, which are no file of their own
	}
	return max(first, 0)
}
