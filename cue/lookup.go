package rules

import (
	"go.yaml.in/yaml/v3"
)

// resolve follows aliases. One that never ends is refused elsewhere.
func resolve(n *yaml.Node) *yaml.Node {
	for depth := 0; n != nil && n.Kind == yaml.AliasNode && depth < maxDepth; depth++ {
		n = n.Alias
	}
	return n
}

// lookup finds a member of a mapping, looking through aliases and merge keys as
// YAML readers do: a member of its own counts before a merged one, of several
// merged the first. nil, nil if there is none.
func lookup(n *yaml.Node, name string) (key, value *yaml.Node) { return lookupAt(n, name, 0) }

func lookupAt(n *yaml.Node, name string, depth int) (key, value *yaml.Node) {
	n = resolve(n)
	if n == nil || n.Kind != yaml.MappingNode || depth > maxDepth {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := resolve(n.Content[i]); k.Kind == yaml.ScalarNode && k.Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	for _, source := range merged(n) {
		if key, value := lookupAt(source, name, depth+1); value != nil {
			return key, value
		}
	}
	return nil, nil
}

// merged lists what is merged into a mapping, the first before the others.
func merged(n *yaml.Node) []*yaml.Node {
	var sources []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !merges(n.Content[i]) {
			continue
		}
		if list := resolve(n.Content[i+1]); list.Kind == yaml.SequenceNode {
			sources = append(sources, list.Content...)
		} else {
			sources = append(sources, n.Content[i+1])
		}
	}
	return sources
}

// merges reports whether a key is a merge key of YAML 1.1.
func merges(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!" || key.ShortTag() == "!!merge")
}

// member is the value under names, one in the other; nil if there is none.
func (t tree) member(names ...string) *yaml.Node {
	n := t.root
	for _, name := range names {
		_, n = lookup(n, name)
	}
	return resolve(n)
}

// text is the value of a scalar found under the names, "" if there is none.
func (t tree) text(names ...string) string {
	n := t.member(names...)
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}
