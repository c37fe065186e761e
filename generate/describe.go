package main

import (
	"fmt"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"
)

// typeOf is the type that a definition is.
func (m module) typeOf(definition string) (*valueType, error) {
	t := &valueType{}
	if err := m.describe(t, &ast.Ident{Name: definition}); err != nil {
		return nil, fmt.Errorf("%s: %w", definition, err)
	}
	return t, nil
}

// describe adds what an expression demands of a value.
func (m module) describe(t *valueType, x ast.Expr) error {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return m.describe(t, x.X)
	case *ast.Ident:
		if x.Name == "string" || x.Name == "bool" || x.Name == "int" {
			t.kind = map[string]string{"string": "string", "bool": "boolean", "int": "integer"}[x.Name]
			return nil
		}
		if inner, ok := m.definitions[x.Name]; ok {
			return m.describe(t, inner)
		}
	case *ast.BasicLit:
		text, err := literal.Unquote(x.Value)
		t.kind, t.enum = "string", append(t.enum, text)
		return err
	case *ast.BinaryExpr:
		switch x.Op {
		case token.AND:
			if err := m.describe(t, x.X); err != nil {
				return err
			}
			return m.describe(t, x.Y)
		case token.OR:
			return m.alternatives(t, x)
		}
	case *ast.UnaryExpr:
		return m.bound(t, x)
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.SelectorExpr); ok && len(x.Args) == 1 && fmt.Sprint(f.Sel) == "MaxRunes" {
			var err error
			t.maxLength, err = integer(x.Args[0])
			return err
		}
	case *ast.ListLit:
		if rest, ok := x.Elts[0].(*ast.Ellipsis); ok && len(x.Elts) == 1 && rest.Type != nil {
			t.kind, t.item = "array", &valueType{}
			return m.describe(t.item, rest.Type)
		}
	case *ast.StructLit:
		return m.structure(t, x)
	}
	return fmt.Errorf("%v: no schema can say this", x.Pos())
}

// alternatives are one value, one or a list, or several strings, and an error(...)
// with the words for what is none of them.
func (m module) alternatives(t *valueType, x ast.Expr) error {
	var all []ast.Expr
	var flatten func(ast.Expr)
	flatten = func(x ast.Expr) {
		if or, ok := x.(*ast.BinaryExpr); ok && or.Op == token.OR {
			flatten(or.X)
			flatten(or.Y)
		} else if words, ok := errorText(x); ok {
			t.words = words
		} else {
			all = append(all, x)
		}
	}
	flatten(x)
	if _, list := all[len(all)-1].(*ast.ListLit); list && len(all) == 2 {
		t.orList = true
		return m.describe(t, all[0])
	}
	for _, value := range all {
		if _, literally := value.(*ast.BasicLit); !literally && len(all) > 1 {
			return fmt.Errorf("%v: no schema can say this", value.Pos())
		}
		if err := m.describe(t, value); err != nil {
			return err
		}
	}
	return nil
}

// structure is an object, or a map if its members are given by a pattern.
func (m module) structure(t *valueType, x *ast.StructLit) error {
	t.kind = "object"
	for _, d := range x.Elts {
		switch d := d.(type) {
		case *ast.EmbedDecl:
			inner, ok := d.Expr.(*ast.StructLit)
			if !ok {
				return fmt.Errorf("%v: no schema can say this", d.Pos())
			}
			for _, f := range fieldsOf(inner) {
				if err := m.patterned(t, f, inside(inner)); err != nil {
					return err
				}
			}
		case *ast.Field:
			f := field{name: label(d), required: d.Constraint == token.NOT, value: &valueType{}}
			if err := m.describe(f.value, d.Value); err != nil {
				return err
			}
			f.value.doc = doc(d)
			for _, body := range attributes("crd", d.Attrs...) {
				if err := f.value.limit(body); err != nil {
					return fmt.Errorf("%v: %w", d.Pos(), err)
				}
			}
			t.fields = append(t.fields, f)
		}
	}
	return nil
}

// patterned is a field [=~pattern]: value, of a map; or an error(...) about keys:
// closed structs tell it, a pattern that refuses, or CEL beside it.
func (m module) patterned(t *valueType, f *ast.Field, beside []*ast.Attribute) error {
	list, ok := f.Label.(*ast.ListLit)
	if !ok || len(list.Elts) != 1 {
		return fmt.Errorf("%v: no pattern of keys", f.Pos())
	}
	keys := &valueType{}
	if err := m.describe(keys, list.Elts[0]); err != nil {
		return err
	}
	if message, words := errorText(f.Value); words {
		if keys.pattern != "" {
			t.refused = append(t.refused, keys.pattern)
		}
		for _, cel := range attributes("cel", beside...) {
			condition, err := m.expand(cel)
			if err != nil {
				return err
			}
			t.rules = append(t.rules, valueRule{condition, message})
		}
		return nil
	}
	t.kind, t.keys, t.item = "map", keys.pattern, &valueType{}
	return m.describe(t.item, f.Value)
}
