package main

import (
	"fmt"
	"strconv"
	"strings"

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

	orList bool // or a list, whose elements rules of their own are about

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
