package podpatch

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// read gives the value of a node that must be of the type.
func (r *reader) read(n *yaml.Node, t reflect.Type, path string) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.problem(n, path, "is an anchor or an alias: write it out")
	case n.ShortTag() == "!!null":
		r.problem(n, path, "is null, which takes a field away: the patch adds and changes only")
	case isLeaf(t):
		return r.leaf(n, t, path)
	case t.Kind() == reflect.Slice:
		return r.list(n, t, path)
	case n.Kind != yaml.MappingNode:
		r.problem(n, path, "must be an object")
	default:
		return r.object(n, t, path)
	}
	return nil
}

func (r *reader) object(n *yaml.Node, t reflect.Type, path string) any {
	known := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		addFields(known, t)
	}
	all := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := strings.TrimPrefix(path+"."+key.Value, ".")
		inner, ok := known[key.Value]
		if t.Kind() == reflect.Map {
			inner, ok = t.Elem(), key.ShortTag() == "!!str"
		}
		if _, twice := all[key.Value]; twice {
			r.problem(key, at, "is given twice")
			continue
		}
		if !ok && strings.HasPrefix(key.Value, "$") {
			r.problem(key, at, "is a directive: the patch adds and changes only")
			continue
		}
		if !ok {
			r.problem(key, at, "is not a field of %s", t.Name())
			continue
		}
		r.substituted(key, at)
		all[key.Value] = r.read(value, inner, at)
	}
	return all
}

// addFields adds the fields of a type by their names in JSON, those of embedded
// types included.
func addFields(known map[string]reflect.Type, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			addFields(known, field.Type)
		case name != "" && name != "-":
			known[name] = field.Type
		}
	}
}

func (r *reader) list(n *yaml.Node, t reflect.Type, path string) any {
	if n.Kind != yaml.SequenceNode {
		r.problem(n, path, "must be a list")
		return nil
	}
	all := []any{}
	for i, item := range n.Content {
		all = append(all, r.read(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i)))
	}
	return all
}

func (r *reader) leaf(n *yaml.Node, t reflect.Type, path string) any {
	var value any
	if err := n.Decode(&value); err != nil {
		r.problem(n, path, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil
	}
	if n.ShortTag() == "!!timestamp" { // which JSON does not know
		value = n.Value
	}
	r.substituted(n, path)
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, reflect.New(t).Interface())
	}
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mistyped):
		r.problem(n, path, "must be of type %s, not %s", mistyped.Type, mistyped.Value)
	case err != nil:
		r.problem(n, path, "%v", err)
	default:
		r.value(n, path)
	}
	return value
}

// substituted refuses what Flux's substitution would replace.
func (r *reader) substituted(n *yaml.Node, path string) {
	if strings.Contains(n.Value, "${") {
		r.problem(n, path, "holds ${, which Flux replaces")
	}
}
