package main

import (
	"errors"
	"io/fs"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/parser"
)

// generated says in each file where it comes from.
const generated = "Generated from cue/*.cue by make generate."

// module is the text of the rules: evaluated, a rule has neither its condition
// nor its attributes any more.
type module struct {
	definitions map[string]ast.Expr // by name, such as #Label
}

// readModule parses the CUE files of a folder.
func readModule(folder fs.FS) (module, error) {
	m := module{map[string]ast.Expr{}}
	names, err := fs.Glob(folder, "*.cue")
	if err != nil {
		return m, err
	}
	if len(names) == 0 {
		return m, errors.New("no CUE files")
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return m, err
		}
		file, err := parser.ParseFile(name, text, parser.ParseComments)
		if err != nil {
			return m, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.Field); ok {
				m.definitions[label(f)] = f.Value
			}
		}
	}
	return m, nil
}

// text is the value of a definition that is a string; false if it is none.
func (m module) text(name string) (string, bool) {
	literally, ok := m.definitions[name].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	text, err := literal.Unquote(literally.Value)
	return text, err == nil
}

// member is the value of a field of a definition's struct; nil if there is none.
func (m module) member(definition, name string) *ast.StructLit {
	for _, f := range fieldsOf(m.definitions[definition]) {
		if label(f) == name {
			inner, _ := f.Value.(*ast.StructLit)
			return inner
		}
	}
	return nil
}
