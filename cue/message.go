package rules

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
)

// explain puts a finding into plain words, at its place in the document.
func (r *Rules) explain(f finding, o stream.Object) schema.Problem {
	p := schema.Problem{Path: f.at(), Message: f.message}
	p.Position = o.Locate(p.Path)
	switch {
	case f.rule:
	case f.message == "field not allowed":
		p.Position = o.LocateKey(p.Path)
		known := r.fields(f.path[:len(f.path)-1])
		p.Message = "unknown field"
		if name := closest(f.path[len(f.path)-1], known); name != "" {
			p.Hint = fmt.Sprintf("did you mean %q?", name)
		} else {
			p.Hint = "known are " + strings.Join(known, ", ")
		}
	case f.message == "field is required but not present":
		p.Message = "is required"
	case strings.HasPrefix(f.message, "conflicting values") || strings.HasPrefix(f.message, "mismatched types"):
		p.Message = "must be a block of fields" // every scalar field has its own words
	}
	return p
}

// fields lists the fields that the rules know below a path such as spec,
// externalAccess, gateway.
func (r *Rules) fields(path []string) []string {
	if !r.access.Exists() {
		r.access = r.unify("#ExternalAccess", &ast.StructLit{})
	}
	v := r.access
	for _, name := range path[min(len(path), 2):] {
		v = v.LookupPath(cue.MakePath(cue.Str(name).Optional()))
	}
	var names []string
	for i, err := v.Fields(cue.Optional(true)); err == nil && i.Next(); {
		names = append(names, i.Selector().Unquoted())
	}
	return names
}
