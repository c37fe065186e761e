package rules

import (
	"strings"

	"cuelang.org/go/cue"
)

// Field is one field of spec.externalAccess, as its documentation has it.
type Field struct {
	Path     string // such as spec.externalAccess.gateway.basePort
	Required bool   // where its parent is given
	Doc      string // the sentences above it in the CUE module
}

// Fields lists the documented fields, parents before their members, in the
// order of the module.
func (r *Rules) Fields() []Field {
	return appendFields(nil, "spec.externalAccess", r.access)
}

func appendFields(all []Field, parent string, v cue.Value) []Field {
	for i, err := v.Fields(cue.Optional(true)); err == nil && i.Next(); {
		path := parent + "." + i.Selector().Unquoted()
		var doc []string
		for _, group := range i.Value().Doc() {
			// The field's own comment; that of the definition it refers to says less.
			if text := strings.Join(strings.Fields(group.Text()), " "); !strings.HasPrefix(text, "#") {
				doc = append(doc, text)
			}
		}
		all = append(all, Field{
			Path:     path,
			Required: i.Selector().ConstraintType() == cue.RequiredConstraint,
			Doc:      strings.Join(doc, " "),
		})
		all = appendFields(all, path, i.Value())
	}
	return all
}
