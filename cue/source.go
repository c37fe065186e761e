package rules

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
)

// source is the text of the module, for what is generated from it: evaluated,
// a rule has neither its condition nor its attributes any more.
type source struct {
	definitions map[string]ast.Expr // by name, such as #Label
}

func newSource() (source, error) {
	files, err := sources()
	if err != nil {
		return source{}, fmt.Errorf("reading the rules: %w", err)
	}
	return sourceOf(files), nil
}

func sourceOf(files []*ast.File) source {
	s := source{map[string]ast.Expr{}}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.Field); ok {
				s.definitions[label(f)] = f.Value
			}
		}
	}
	return s
}

// text is the value of a definition that is a string; false if it is none.
func (s source) text(name string) (string, bool) {
	literally, ok := s.definitions[name].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	text, err := literal.Unquote(literally.Value)
	return text, err == nil
}

// member is the value of a field of a definition's struct; nil if there is none.
func (s source) member(definition, name string) *ast.StructLit {
	for _, f := range fieldsOf(s.definitions[definition]) {
		if label(f) == name {
			inner, _ := f.Value.(*ast.StructLit)
			return inner
		}
	}
	return nil
}

func fieldsOf(x ast.Expr) []*ast.Field {
	structure, ok := x.(*ast.StructLit)
	if !ok {
		return nil
	}
	var fields []*ast.Field
	for _, d := range structure.Elts {
		if f, ok := d.(*ast.Field); ok {
			fields = append(fields, f)
		}
	}
	return fields
}

// doc is the sentences above a field, on one line.
func doc(f *ast.Field) string {
	var words []string
	for _, group := range ast.Comments(f) {
		if group.Doc {
			words = append(words, strings.Fields(group.Text())...)
		}
	}
	return strings.Join(words, " ")
}

// attributes are the bodies of the attributes with a name, at a field or within
// a struct.
func attributes(name string, all ...*ast.Attribute) []string {
	var bodies []string
	for _, a := range all {
		if n, body := a.Split(); n == name {
			bodies = append(bodies, body)
		}
	}
	return bodies
}

// inside lists the attributes that stand in a struct as declarations.
func inside(x ast.Expr) []*ast.Attribute {
	structure, ok := x.(*ast.StructLit)
	if !ok {
		return nil
	}
	var all []*ast.Attribute
	for _, d := range structure.Elts {
		if a, ok := d.(*ast.Attribute); ok {
			all = append(all, a)
		}
	}
	return all
}

// errorText is the argument of error(...), the way every rule ends.
func errorText(x ast.Expr) (ast.Expr, bool) {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, false
	}
	name, ok := call.Fun.(*ast.Ident)
	return call.Args[0], ok && name.Name == "error"
}
