package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// maxPodPatch bounds a patch, in bytes: a Job holds 1.5 MiB, and a pod's template is
// a few KiB.
const maxPodPatch = 256 << 10

// ReadPodPatch reads a patch for the pod template of the read-back Job, in YAML or
// JSON. It is held to the API's types, and adds and changes only: what the Job needs
// stays. It gives the patch as Options.ReadbackPod has it, or every problem.
func ReadPodPatch(file string, text []byte) (json.RawMessage, []schema.Problem) {
	r := &podReader{file: file}
	if len(text) > maxPodPatch {
		r.problem(nil, "", "is larger than %d KiB", maxPodPatch>>10)
		return nil, r.problems
	}
	root := r.document(text)
	if root == nil {
		return nil, r.problems
	}
	value := r.read(root, reflect.TypeFor[corev1.PodTemplateSpec](), "")
	r.keep(root)
	schema.SortProblems(r.problems)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	patch, err := json.Marshal(value)
	if err == nil {
		err = r.resources(root, patch)
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	if err != nil {
		return nil, []schema.Problem{{Position: schema.Position{File: file}, Message: err.Error()}}
	}
	return patch, nil
}

// podReader reads one file.
type podReader struct {
	file     string
	problems []schema.Problem
}

func (r *podReader) problem(n *yaml.Node, path, format string, a ...any) {
	p := schema.Problem{Position: schema.Position{File: r.file}, Path: path, Message: fmt.Sprintf(format, a...)}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	r.problems = append(r.problems, p)
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// document is the one document of the file, nil if there is a problem.
func (r *podReader) document(text []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(yamledit.WithoutTabs(text)))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if err == nil {
		if err := decoder.Decode(&second); err == nil {
			r.problem(&second, "", "is a second document: one patch a file")
			return nil
		} else if errors.Is(err, io.EOF) {
			return document.Content[0]
		} else {
			r.syntax(err)
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		r.problem(nil, "", "is empty")
	} else {
		r.syntax(err)
	}
	return nil
}

func (r *podReader) syntax(err error) {
	parts := yamlError.FindStringSubmatch(err.Error())
	if parts == nil {
		r.problem(nil, "", "%v", err)
		return
	}
	line, _ := strconv.Atoi(parts[1]) // 0 is the file as a whole
	r.problem(&yaml.Node{Line: line}, "", "%s", parts[2])
}

// read gives the value of a node that must be of the type.
func (r *podReader) read(n *yaml.Node, t reflect.Type, path string) any {
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

func (r *podReader) object(n *yaml.Node, t reflect.Type, path string) any {
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
			r.problem(key, at, "is no field of %s", t.Name())
			continue
		}
		r.plain(key, at)
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

func (r *podReader) list(n *yaml.Node, t reflect.Type, path string) any {
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

// isLeaf reports whether the type reads its JSON as a whole.
func isLeaf(t reflect.Type) bool {
	_, ok := reflect.New(t).Interface().(json.Unmarshaler)
	switch t.Kind() {
	case reflect.Struct, reflect.Map, reflect.Slice:
		return ok
	}
	return true
}

func (r *podReader) leaf(n *yaml.Node, t reflect.Type, path string) any {
	var value any
	if err := n.Decode(&value); err != nil {
		r.problem(n, path, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil
	}
	if n.ShortTag() == "!!timestamp" { // which JSON does not know
		value = n.Value
	}
	r.plain(n, path)
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

// plain refuses what Flux's substitution would replace.
func (r *podReader) plain(n *yaml.Node, path string) {
	if strings.Contains(n.Value, "${") {
		r.problem(n, path, "holds ${, which Flux replaces")
	}
}
