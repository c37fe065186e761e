package main

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// viewFields are the fields of #View with a name such as _view.nodes: more than
// one, if it stands in several branches.
func (m module) viewFields(name string) []*ast.Field {
	return fieldsAt(m.definitions["#View"], strings.Split(name, "."))
}

func fieldsAt(x ast.Expr, path []string) []*ast.Field {
	structure, ok := x.(*ast.StructLit)
	if !ok {
		return nil
	}
	var all []*ast.Field
	for _, d := range structure.Elts {
		switch d := d.(type) {
		case *ast.Comprehension:
			all = append(all, fieldsAt(d.Value, path)...)
		case *ast.Field:
			switch {
			case label(d) != path[0]:
			case len(path) > 1:
				all = append(all, fieldsAt(d.Value, path[1:])...)
			default:
				all = append(all, d)
			}
		}
	}
	return all
}

// viewCEL is the CEL beside a name of the view, in whichever branch it stands.
func (m module) viewCEL(name string) (string, bool) {
	for _, f := range m.viewFields(name) {
		if cel := attributes("cel", f.Attrs...); len(cel) == 1 {
			return cel[0], true
		}
	}
	return "", false
}

// isInteger reports whether the module's text tells that an expression is an
// integer. Inside the view its names go without _view.
func (m module) isInteger(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.INT
	case *ast.ParenExpr:
		return m.isInteger(x.X)
	case *ast.UnaryExpr: // *x is a default
		return x.Op == token.MUL && m.isInteger(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.AND:
			return m.isInteger(x.X) || m.isInteger(x.Y)
		case token.OR, token.ADD, token.SUB, token.MUL:
			return m.isInteger(x.X) && m.isInteger(x.Y)
		}
	case *ast.CallExpr:
		switch dotted(x.Fun) {
		case "len":
			return true
		case "list.Max", "list.Min":
			elements, ok := x.Args[0].(*ast.ListLit)
			return ok && !slices.ContainsFunc(elements.Elts, func(element ast.Expr) bool { return !m.isInteger(element) })
		}
	case *ast.Ident, *ast.SelectorExpr:
		name := dotted(x)
		if name == "int" {
			return true
		}
		fields := m.viewFields("_view." + strings.TrimPrefix(name, "_view."))
		return len(fields) > 0 && !slices.ContainsFunc(fields, func(f *ast.Field) bool { return !m.isInteger(f.Value) })
	}
	return false
}

// dotted is a name such as _view.nodes, "" for what is none.
func dotted(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		name, _, err := ast.LabelName(x.Sel)
		if outer := dotted(x.X); outer != "" && err == nil {
			return outer + "." + name
		}
	}
	return ""
}
