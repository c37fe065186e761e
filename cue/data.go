package rules

import (
	"fmt"
	"slices"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/encoding/yaml"
)

// sections lists the fields that are evaluated, by section of the document. All
// else is carried through unseen, so it costs nothing and cannot go wrong.
var sections = map[string][]string{
	"":         {"apiVersion", "kind", "metadata", "spec"},
	"metadata": {"name", "namespace", "annotations"},
	"spec":     {"shards", "replicas", "workloadType", "image", "config", "containers", "networking", "tls", "externalAccess"},
}

// extract decodes a document through CUE, less what is not read. Of duplicate
// keys the first counts; they are reported elsewhere.
func extract(source []byte) (*ast.StructLit, error) {
	decoded, err := yaml.Extract("", source)
	if err != nil {
		return nil, err
	}
	document := &ast.StructLit{Elts: decoded.Decls}
	if len(document.Elts) == 1 {
		if embedded, ok := document.Elts[0].(*ast.EmbedDecl); ok {
			inner, ok := embedded.Expr.(*ast.StructLit)
			if !ok {
				return nil, fmt.Errorf("not a mapping")
			}
			document = inner
		}
	}
	keep(document, "")
	unique(document)
	return document, nil
}

func keep(data *ast.StructLit, section string) {
	data.Elts = slices.DeleteFunc(data.Elts, func(d ast.Decl) bool {
		field, ok := d.(*ast.Field)
		return !ok || !slices.Contains(sections[section], label(field))
	})
	if section != "" {
		return
	}
	for _, element := range data.Elts {
		field := element.(*ast.Field)
		if inner, ok := field.Value.(*ast.StructLit); ok && sections[label(field)] != nil {
			keep(inner, label(field))
		}
	}
}

// unique drops all but the first of duplicate fields, which CUE would unify.
func unique(expression ast.Expr) {
	switch x := expression.(type) {
	case *ast.StructLit:
		seen := map[string]bool{}
		x.Elts = slices.DeleteFunc(x.Elts, func(d ast.Decl) bool {
			field, ok := d.(*ast.Field)
			if !ok {
				return false
			}
			name := label(field)
			again := seen[name]
			seen[name] = true
			unique(field.Value)
			return again
		})
	case *ast.ListLit:
		for _, element := range x.Elts {
			unique(element)
		}
	}
}

// maxFields bounds what is evaluated of one document: CUE's time grows with the
// square of it. The operator's samples have less than 50.
const maxFields = 5000

// size counts the fields and elements of a value.
func size(expression ast.Expr) int {
	n := 1
	switch x := expression.(type) {
	case *ast.StructLit:
		for _, element := range x.Elts {
			if field, ok := element.(*ast.Field); ok {
				n += size(field.Value)
			}
		}
	case *ast.ListLit:
		for _, element := range x.Elts {
			n += size(element)
		}
	}
	return n
}

// remove takes the field at the path out of the data; false if there is none.
func remove(data *ast.StructLit, path []string) bool {
	for i, element := range data.Elts {
		field, ok := element.(*ast.Field)
		if !ok || label(field) != path[0] {
			continue
		}
		if len(path) > 1 {
			inner, ok := field.Value.(*ast.StructLit)
			return ok && remove(inner, path[1:])
		}
		data.Elts = slices.Delete(data.Elts, i, i+1)
		return true
	}
	return false
}

// label is the name of a field, "" if it depends on the data.
func label(f *ast.Field) string {
	name, _, err := ast.LabelName(f.Label)
	if err != nil {
		return ""
	}
	return name
}
