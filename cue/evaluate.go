package rules

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"

	"github.com/valkey-expose/valkey-expose/stream"
)

// finding is one error of an evaluation.
type finding struct {
	path    []string // from the top of the document; one element, a whole path, if rule
	rule    bool     // of a rule about several fields, in _problem or _warning
	message string   // CUE's, or the text of an error(...) in the rules
}

// maxFindings bounds what is looked for in one document, so that a file made of
// nothing but mistakes gets its answer soon.
const maxFindings = 100

// evaluate holds data against definitions, one after another, and returns every
// error.
//
// One evaluation does not find them all: an error inside a struct hides the
// struct's unknown and missing fields. So the fields that are in error are
// taken out of the data and the rest is evaluated again, until nothing new
// turns up. What is then said at or below a reported path is its echo, and
// dropped. The data is changed.
func (r *Rules) evaluate(data *ast.StructLit, definitions ...string) []finding {
	var all []finding
	for len(definitions) > 0 {
		removed := false
		for _, f := range r.validate(data, definitions[0]) {
			if slices.ContainsFunc(all, f.echoes) {
				continue
			}
			all = append(all, f)
			if len(all) == maxFindings {
				return all
			}
			if !f.rule {
				removed = remove(data, f.path) || removed
			}
		}
		if !removed {
			definitions = definitions[1:]
		}
	}
	return all
}

// validate holds data against a definition once.
func (r *Rules) validate(data *ast.StructLit, definition string) []finding {
	var all []finding
	value := r.unify(definition, data)
	for _, err := range errors.Errors(value.Validate(cue.Concrete(true))) {
		if f, ok := newFinding(err); ok {
			all = append(all, f)
		}
	}
	return all
}

// newFinding takes a CUE error apart. It is false for an error that only sums
// up others.
func newFinding(err errors.Error) (finding, bool) {
	format, args := err.Msg()
	f := finding{message: fmt.Sprintf(format, args...)}
	for _, label := range err.Path() {
		if strings.HasPrefix(label, "#") {
			continue // the definition's own name, in front
		}
		f.path = append(f.path, unquote(label))
	}
	if len(f.path) > 0 && (f.path[0] == "_problem" || f.path[0] == "_warning") {
		f.path, f.rule = f.path[1:], true
	}
	return f, len(f.path) > 0
}

func unquote(label string) string {
	selectors := cue.ParsePath(label).Selectors()
	if len(selectors) == 1 && selectors[0].IsString() {
		return selectors[0].Unquoted()
	}
	return label
}

// echoes reports whether f only repeats g: the same rule again, or anything at
// or below a field that is reported itself.
func (f finding) echoes(g finding) bool {
	at, reported := f.at(), g.at()
	if at == reported {
		return !f.rule || !g.rule || f.message == g.message
	}
	return !g.rule && below(at, reported)
}

// below reports whether a path is another, or of a field or element in it.
func below(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// at is the path of the finding as text.
func (f finding) at() string {
	if f.rule {
		return f.path[0]
	}
	var path string
	for _, label := range f.path {
		path = stream.JoinPath(path, label)
	}
	return path
}
