package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/manifest"
	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
)

// resourceList is what a KRM function reads and writes: objects, what the function
// is told, and what it has to say. Source: the KRM functions specification,
// config.kubernetes.io/v1. What is not touched is written as it was read.
type resourceList struct {
	root  *yaml.Node // the document's mapping
	items []*yaml.Node
}

func parseResourceList(text []byte) (*resourceList, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(printable(fmt.Sprintf("reading the ResourceList: %v", err)))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("standard input holds more than one ResourceList")
	}
	if document.Kind != yaml.DocumentNode || document.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("standard input is no ResourceList")
	}
	l := &resourceList{root: document.Content[0]}
	kind, apiVersion := l.field("kind"), l.field("apiVersion")
	if kind == nil || kind.Value != "ResourceList" || apiVersion == nil || !strings.HasPrefix(apiVersion.Value, "config.kubernetes.io/") {
		return nil, errors.New("standard input is no ResourceList of config.kubernetes.io")
	}
	switch items := l.field("items"); {
	case items == nil || items.Tag == "!!null":
	case items.Kind != yaml.SequenceNode:
		return nil, errors.New("items of the ResourceList are no list")
	default:
		var err error
		if l.items, err = stream.WithoutAliases(items.Content); err != nil {
			return nil, fmt.Errorf("reading the ResourceList: %w", err)
		}
	}
	l.remove("results") // of an earlier function, which has told of them
	return l, nil
}

// field is the value of a top-level field, nil if there is none.
func (l *resourceList) field(name string) *yaml.Node { return fieldOf(l.root, name) }

func fieldOf(mapping *yaml.Node, name string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// set gives a top-level field its value, at the end if it is new.
func (l *resourceList) set(name string, value *yaml.Node) {
	for i := 0; i+1 < len(l.root.Content); i += 2 {
		if l.root.Content[i].Value == name {
			l.root.Content[i+1] = value
			return
		}
	}
	l.root.Content = append(l.root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
}

// remove takes a top-level field out.
func (l *resourceList) remove(name string) {
	for i := 0; i+1 < len(l.root.Content); i += 2 {
		if l.root.Content[i].Value == name {
			l.root.Content = slices.Delete(l.root.Content, i, i+2)
			return
		}
	}
}

// config is what the function was told: the data of a ConfigMap, by convention.
func (l *resourceList) config() (map[string]string, error) {
	data := fieldOf(l.field("functionConfig"), "data")
	if data == nil {
		return nil, nil
	}
	config := map[string]string{}
	if err := data.Decode(&config); err != nil {
		return nil, fmt.Errorf("reading data of the functionConfig: %w", err)
	}
	return config, nil
}

// result is what a function says of an item.
type result struct {
	Message     string       `yaml:"message"`
	Severity    string       `yaml:"severity"`
	ResourceRef *resourceRef `yaml:"resourceRef,omitempty"`
	Field       *fieldRef    `yaml:"field,omitempty"`
	File        *fileRef     `yaml:"file,omitempty"`
}

type resourceRef struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Name       string `yaml:"name"`
	Namespace  string `yaml:"namespace,omitempty"`
}

type fieldRef struct {
	Path string `yaml:"path"`
}

type fileRef struct {
	Path  string `yaml:"path"`
	Index int    `yaml:"index,omitempty"`
}

// resultOf says what a problem is, and of which item, nil if of none.
func resultOf(p schema.Problem, item *yaml.Node) result {
	r := result{Message: p.Message, Severity: "error"}
	if p.Warning {
		r.Severity = "warning"
	}
	if p.Hint != "" {
		r.Message += "; " + p.Hint
	}
	r.Message = printable(r.Message)
	if p.Path != "" {
		r.Field = &fieldRef{printable(p.Path)}
	}
	text := func(n *yaml.Node) string {
		if n == nil {
			return ""
		}
		return n.Value
	}
	metadata := fieldOf(item, "metadata")
	if fieldOf(item, "kind") != nil {
		r.ResourceRef = &resourceRef{
			text(fieldOf(item, "apiVersion")), text(fieldOf(item, "kind")), text(fieldOf(metadata, "name")), text(fieldOf(metadata, "namespace")),
		}
	}
	if path := origin(item, "path"); path != "" {
		r.File = &fileRef{Path: path}
		r.File.Index, _ = strconv.Atoi(origin(item, "index")) // 0 is the first, and may be left out
	}
	return r
}

// origin is what kustomize and kpt note of where an object comes from: the path
// of the file, and the index of the document in it.
func origin(item *yaml.Node, what string) string {
	annotations := fieldOf(fieldOf(item, "metadata"), "annotations")
	for _, prefix := range []string{"internal.config.kubernetes.io/", "config.kubernetes.io/"} {
		if n := fieldOf(annotations, prefix+what); n != nil && n.Value != "" {
			return n.Value
		}
	}
	return ""
}

// itemName is what a place in an item is called.
func (l *resourceList) itemName(i int) string {
	name := fmt.Sprintf("items[%d]", i)
	if path := origin(l.items[i], "path"); path != "" {
		name += " (" + printable(path) + ")"
	}
	return name
}

// batch is how many items are written at once: the encoder keeps every event
// until it is done, which takes three times the memory of the tree.
const batch = 500

// write is the list with its items and results as they are now.
func (l *resourceList) write(results []result) ([]byte, error) {
	first := min(batch, len(l.items))
	l.set("items", &yaml.Node{Kind: yaml.SequenceNode, Content: l.items[:first]})
	if len(results) > 0 {
		var list yaml.Node
		if err := list.Encode(results); err != nil {
			return nil, fmt.Errorf("writing the results: %w", err)
		}
		l.set("results", &list)
	}
	var out bytes.Buffer
	put := func(kind yaml.Kind, content []*yaml.Node) error {
		text, err := manifest.Encode(&yaml.Node{Kind: kind, Content: content})
		out.Write(text)
		return err
	}
	for pair := range slices.Chunk(l.root.Content, 2) {
		if err := put(yaml.MappingNode, pair); err != nil {
			return nil, err
		}
		if pair[0].Value != "items" {
			continue
		}
		for more := range slices.Chunk(l.items[first:], batch) {
			if err := put(yaml.SequenceNode, more); err != nil {
				return nil, err
			}
		}
	}
	return out.Bytes(), nil
}
