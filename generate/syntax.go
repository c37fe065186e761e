package main

import (
	"strings"

	"cuelang.org/go/cue/ast"
)

// label is the name of a field, "" if it depends on the data.
func label(f *ast.Field) string {
	name, _, err := ast.LabelName(f.Label)
	if err != nil {
		return ""
	}
	return name
}

// fieldsOf are the fields of a struct, in its order.
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
