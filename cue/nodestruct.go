package rules

import (
	"fmt"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// structure is an object, or a map if its members are given by a pattern.
func (s source) structure(n *node, x *ast.StructLit) error {
	n.kind = "object"
	for _, d := range x.Elts {
		switch d := d.(type) {
		case *ast.EmbedDecl:
			inner, ok := d.Expr.(*ast.StructLit)
			if !ok {
				return fmt.Errorf("%v: no schema can say this", d.Pos())
			}
			for _, f := range fieldsOf(inner) {
				if err := s.patterned(n, f, inside(inner)); err != nil {
					return err
				}
			}
		case *ast.Field:
			m := member{name: label(d), required: d.Constraint == token.NOT, node: &node{}}
			if err := s.describe(m.node, d.Value); err != nil {
				return err
			}
			m.node.doc = doc(d)
			for _, body := range attributes("crd", d.Attrs...) {
				if err := m.node.limit(body); err != nil {
					return fmt.Errorf("%v: %w", d.Pos(), err)
				}
			}
			n.fields = append(n.fields, m)
		}
	}
	return nil
}

// patterned is a field [=~pattern]: value, of a map; or an error(...) about keys:
// closed structs tell it, a pattern that refuses, or CEL beside it.
func (s source) patterned(n *node, f *ast.Field, beside []*ast.Attribute) error {
	list, ok := f.Label.(*ast.ListLit)
	if !ok || len(list.Elts) != 1 {
		return fmt.Errorf("%v: no pattern of keys", f.Pos())
	}
	keys := &node{}
	if err := s.describe(keys, list.Elts[0]); err != nil {
		return err
	}
	if message, words := errorText(f.Value); words {
		if keys.pattern != "" {
			n.refused = append(n.refused, keys.pattern)
		}
		for _, cel := range attributes("cel", beside...) {
			condition, err := s.expand(cel)
			if err != nil {
				return err
			}
			n.rules = append(n.rules, valueRule{condition, message})
		}
		return nil
	}
	n.kind, n.keys, n.item = "map", keys.pattern, &node{}
	return s.describe(n.item, f.Value)
}

// limit reads an attribute that only the CRD needs.
func (n *node) limit(body string) error {
	name, value, _ := strings.Cut(body, "=")
	var err error
	switch name {
	case "maxProperties":
		n.maxProperties, err = strconv.Atoi(value)
	case "maxItems":
		n.maxItems, err = strconv.Atoi(value)
	case "mapKey":
		n.mapKey = value
	default:
		err = fmt.Errorf("@crd(%s) is not known", body)
	}
	return err
}
