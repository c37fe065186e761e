// Package resourcelist reads and writes the ResourceList, which KRM functions read
// from standard input and write to standard output. Source: the KRM functions
// specification, config.kubernetes.io/v1. What is not touched is written as it was
// read.
package resourcelist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/stream"
)

// List is a ResourceList: objects, the configuration of the function, and its
// results.
type List struct {
	Items []*yaml.Node

	root *yaml.Node // the document's mapping
}

// Parse reads the one ResourceList that a function is given.
func Parse(text []byte) (*List, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(report.Printable(fmt.Sprintf("reading the ResourceList: %v", err)))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("standard input holds more than one ResourceList")
	}
	if document.Kind != yaml.DocumentNode || document.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("standard input is not a ResourceList")
	}
	l := &List{root: document.Content[0]}
	kind, apiVersion := l.field("kind"), l.field("apiVersion")
	if kind == nil || kind.Value != "ResourceList" || apiVersion == nil || !strings.HasPrefix(apiVersion.Value, "config.kubernetes.io/") {
		return nil, errors.New("standard input is not a ResourceList of config.kubernetes.io")
	}
	switch items := l.field("items"); {
	case items == nil || items.Tag == "!!null":
	case items.Kind != yaml.SequenceNode:
		return nil, errors.New("items of the ResourceList are not a list")
	default:
		var err error
		if l.Items, err = stream.WithoutAliases(items.Content); err != nil {
			return nil, fmt.Errorf("reading the ResourceList: %w", err)
		}
	}
	l.remove("results") // of an earlier function, which has reported them
	return l, nil
}

// field is the value of a top-level field, nil if there is none.
func (l *List) field(name string) *yaml.Node { return fieldOf(l.root, name) }

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
func (l *List) set(name string, value *yaml.Node) {
	for i := 0; i+1 < len(l.root.Content); i += 2 {
		if l.root.Content[i].Value == name {
			l.root.Content[i+1] = value
			return
		}
	}
	l.root.Content = append(l.root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
}

// remove takes a top-level field out.
func (l *List) remove(name string) {
	for i := 0; i+1 < len(l.root.Content); i += 2 {
		if l.root.Content[i].Value == name {
			l.root.Content = slices.Delete(l.root.Content, i, i+2)
			return
		}
	}
}

// Config is the configuration of the function: the data of a ConfigMap, by convention.
func (l *List) Config() (map[string]string, error) {
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

// ItemName is what a place in an item is called.
func (l *List) ItemName(i int) string {
	name := fmt.Sprintf("items[%d]", i)
	if path := origin(l.Items[i], "path"); path != "" {
		name += " (" + report.Printable(path) + ")"
	}
	return name
}
