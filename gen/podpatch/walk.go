package podpatch

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// reader reads one file, for one Job.
type reader struct {
	file     string
	job      Own
	problems []schema.Problem
}

func (r *reader) problem(n *yaml.Node, path, format string, a ...any) {
	p := schema.Problem{Position: schema.Position{File: r.file}, Path: path, Message: fmt.Sprintf(format, a...)}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	r.problems = append(r.problems, p)
}

// members goes through the members of the object at a path below a node.
func (r *reader) members(n *yaml.Node, path []string, do func(name string, key, value *yaml.Node)) {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		switch key, value := n.Content[i], n.Content[i+1]; {
		case len(path) == 0:
			do(key.Value, key, value)
		case key.Value == path[0]:
			r.members(value, path[1:], do)
		}
	}
}

// named goes through a list of objects with names.
func (r *reader) named(n *yaml.Node, path string, do func(name string, n *yaml.Node, path string)) {
	for i, item := range n.Content {
		name, at := "", path+"["+strconv.Itoa(i)+"]"
		r.members(item, nil, func(key string, _, value *yaml.Node) {
			if key == "name" {
				name = value.Value
			}
		})
		if name == "" && item.Kind == yaml.MappingNode {
			r.problem(item, at, "has no name")
			continue
		}
		do(name, item, at)
	}
}
