package main

import (
	"fmt"
	"strconv"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"
)

// valueType is a type of the module, as far as schemas of other languages can say it.
type valueType struct {
	kind   string // object, map, array, string, integer or boolean
	doc    string
	fields []field    // of an object, in the order of the module
	keys   string     // pattern of a map's keys
	item   *valueType // of a map or an array

	words   ast.Expr // of the error(...) that a value of another form ends in
	refused []string // patterns of keys of a map that have an error(...)
	rules   []valueRule

	enum                []string
	pattern, notPattern string
	maxLength           int
	minimum, maximum    *int

	maxProperties int    // @crd(maxProperties=…)
	mapKey        string // @crd(mapKey=…)
	maxItems      int    // @crd(maxItems=…)
}

// valueRule is a rule about a single value that CEL alone can tell.
type valueRule struct {
	condition string // what must not be, in CEL
	words     ast.Expr
}

// field is a field of an object.
type field struct {
	name     string
	required bool
	value    *valueType
}

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

// alternatives are one value, or several strings, and an error(...) with the
// words for what is none of them.
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

// bound is a unary comparison.
func (m module) bound(t *valueType, x *ast.UnaryExpr) error {
	var err error
	switch x.Op {
	case token.MAT, token.NMAT:
		pattern, ok := "", false
		switch operand := x.X.(type) {
		case *ast.BasicLit:
			pattern, err = literal.Unquote(operand.Value)
			ok = err == nil
		case *ast.Ident:
			pattern, ok = m.text(operand.Name)
		}
		if !ok {
			return fmt.Errorf("%v: no pattern", x.Pos())
		}
		t.kind = "string"
		if x.Op == token.MAT {
			t.pattern = pattern
		} else {
			t.notPattern = pattern
		}
	case token.GEQ, token.LEQ:
		var limit int
		limit, err = integer(x.X)
		if x.Op == token.GEQ {
			t.minimum = &limit
		} else {
			t.maximum = &limit
		}
	default:
		return fmt.Errorf("%v: no schema can say this", x.Pos())
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
