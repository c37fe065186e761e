package rules

import (
	"fmt"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"
)

// node is a value of the module as schemas of other languages can describe it.
type node struct {
	kind   string // object, map, array, string, integer or boolean
	doc    string
	fields []member // of an object, in the order of the module
	keys   string   // pattern of a map's keys
	item   *node    // of a map or an array

	words ast.Expr // of the error(...) that a broken rule ends in

	enum                []string
	pattern, notPattern string
	maxLength           int
	minimum, maximum    *int

	maxProperties int    // @crd(maxProperties=…)
	mapKey        string // @crd(mapKey=…)
	condition     string // @cel(…) of a map's keys
}

type member struct {
	name     string
	required bool
	node     *node
}

// node describes a definition.
func (s source) node(definition string) (*node, error) {
	n := &node{}
	if err := s.describe(n, &ast.Ident{Name: definition}); err != nil {
		return nil, fmt.Errorf("%s: %w", definition, err)
	}
	return n, nil
}

// describe adds what an expression demands of a value. An alternative error(...)
// only has the words for it.
func (s source) describe(n *node, x ast.Expr) error {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return s.describe(n, x.X)
	case *ast.Ident:
		if x.Name == "string" || x.Name == "bool" || x.Name == "int" {
			n.kind = map[string]string{"string": "string", "bool": "boolean", "int": "integer"}[x.Name]
			return nil
		}
		if inner, ok := s.definitions[x.Name]; ok {
			return s.describe(n, inner)
		}
	case *ast.BasicLit:
		text, err := literal.Unquote(x.Value)
		n.kind, n.enum = "string", append(n.enum, text)
		return err
	case *ast.BinaryExpr:
		if x.Op != token.AND && x.Op != token.OR {
			break
		}
		for _, side := range []ast.Expr{x.X, x.Y} {
			if words, ok := errorText(side); ok {
				n.words = words
				continue
			}
			if err := s.describe(n, side); err != nil {
				return err
			}
		}
		return nil
	case *ast.UnaryExpr:
		return s.bound(n, x)
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.SelectorExpr); ok && len(x.Args) == 1 && fmt.Sprint(f.Sel) == "MaxRunes" {
			var err error
			n.maxLength, err = integer(x.Args[0])
			return err
		}
	case *ast.ListLit:
		if rest, ok := x.Elts[0].(*ast.Ellipsis); ok && len(x.Elts) == 1 && rest.Type != nil {
			n.kind, n.item = "array", &node{}
			return s.describe(n.item, rest.Type)
		}
	case *ast.StructLit:
		return s.structure(n, x)
	}
	return fmt.Errorf("%v: no schema can say this", x.Pos())
}

// bound is a unary comparison.
func (s source) bound(n *node, x *ast.UnaryExpr) error {
	var err error
	switch x.Op {
	case token.MAT, token.NMAT:
		pattern, ok := "", false
		switch operand := x.X.(type) {
		case *ast.BasicLit:
			pattern, err = literal.Unquote(operand.Value)
			ok = err == nil
		case *ast.Ident:
			pattern, ok = s.text(operand.Name)
		}
		if !ok {
			return fmt.Errorf("%v: no pattern", x.Pos())
		}
		n.kind = "string"
		if x.Op == token.MAT {
			n.pattern = pattern
		} else {
			n.notPattern = pattern
		}
	case token.GEQ, token.LEQ:
		var limit int
		limit, err = integer(x.X)
		if x.Op == token.GEQ {
			n.minimum = &limit
		} else {
			n.maximum = &limit
		}
	default:
		return fmt.Errorf("%v: no schema can say this", x.Pos())
	}
	return err
}

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

// patterned is a field [=~pattern]: value, of a map; or an error(...), which
// is told by closed structs, or by CEL beside it.
func (s source) patterned(n *node, f *ast.Field, beside []*ast.Attribute) error {
	if message, words := errorText(f.Value); words {
		for _, cel := range attributes("cel", beside...) {
			condition, err := s.expand(cel)
			if err != nil {
				return err
			}
			n.condition, n.words = condition, message
		}
		return nil
	}
	list, ok := f.Label.(*ast.ListLit)
	if !ok || len(list.Elts) != 1 {
		return fmt.Errorf("%v: no pattern of keys", f.Pos())
	}
	keys := &node{}
	if err := s.describe(keys, list.Elts[0]); err != nil {
		return err
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
	case "mapKey":
		n.mapKey = value
	default:
		err = fmt.Errorf("@crd(%s) is not known", body)
	}
	return err
}

func integer(x ast.Expr) (int, error) {
	n, ok := x.(*ast.BasicLit)
	if !ok {
		return 0, fmt.Errorf("%v: no number", x.Pos())
	}
	return strconv.Atoi(n.Value)
}
