package stream

import (
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/yamledit"
)

// Resolve follows aliases. One that never ends is refused elsewhere.
func Resolve(n *yaml.Node) *yaml.Node {
	for depth := 0; n != nil && n.Kind == yaml.AliasNode && depth < MaxDepth; depth++ {
		n = n.Alias
	}
	return n
}

// Lookup finds a member of a mapping, looking through aliases and merge keys as
// YAML readers do: a member of its own counts before a merged one, of several
// merged the first. nil, nil if there is none.
func Lookup(n *yaml.Node, name string) (key, value *yaml.Node) { return lookupAt(n, name, 0) }

func lookupAt(n *yaml.Node, name string, depth int) (key, value *yaml.Node) {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.MappingNode || depth > MaxDepth {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := Resolve(n.Content[i]); k.Kind == yaml.ScalarNode && k.Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	for _, inner := range merged(n) {
		if key, value := lookupAt(inner, name, depth+1); value != nil {
			return key, value
		}
	}
	return nil, nil
}

// merged lists what is merged into a mapping, the first before the others.
func merged(n *yaml.Node) []*yaml.Node {
	var mappings []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !yamledit.IsMergeKey(n.Content[i]) {
			continue
		}
		if list := Resolve(n.Content[i+1]); list.Kind == yaml.SequenceNode {
			mappings = append(mappings, list.Content...)
		} else {
			mappings = append(mappings, n.Content[i+1])
		}
	}
	return mappings
}

// Member is the value under names, one in the other; nil if there is none.
func (o Object) Member(names ...string) *yaml.Node {
	n := o.Root
	for _, name := range names {
		_, n = Lookup(n, name)
	}
	return Resolve(n)
}

// Text is the value of a scalar found under the names, "" if there is none.
func (o Object) Text(names ...string) string {
	n := o.Member(names...)
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}
