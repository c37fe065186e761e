package rules

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/valkey-expose/valkey-expose/schema"
)

// problem puts a finding into plain words, at its place in the document.
func (r *Rules) problem(f finding, t tree) schema.Problem {
	p := schema.Problem{Path: f.at(), Message: f.message}
	p.Position = t.locate(p.Path)
	switch {
	case f.rule:
	case f.message == "field not allowed":
		p.Position = t.locateKey(p.Path)
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

// closest is the name that a user who wrote another may have meant: the one
// it is the beginning of, or that with the fewest letters to change, add or drop.
// Upper and lower case are alike.
func closest(written string, names []string) string {
	best, distance := "", max(2, len(written)/3)+1
	for _, name := range names {
		if len(written) > 2 && strings.HasPrefix(strings.ToLower(name), strings.ToLower(written)) {
			return name
		}
		if d := edits(strings.ToLower(written), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
