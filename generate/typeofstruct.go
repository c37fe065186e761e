package main

import (
	"fmt"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

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

// limit reads an attribute that only the CRD needs.
func (t *valueType) limit(body string) error {
	name, value, _ := strings.Cut(body, "=")
	var err error
	switch name {
	case "maxProperties":
		t.maxProperties, err = strconv.Atoi(value)
	case "maxItems":
		t.maxItems, err = strconv.Atoi(value)
	case "mapKey":
		t.mapKey = value
	default:
		err = fmt.Errorf("@crd(%s) is not known", body)
	}
	return err
}
