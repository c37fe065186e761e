package gen

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// value is the meaning of a YAML node: no styles, no comments, no aliases.
type value struct {
	tag, text string            // of a scalar
	members   map[string]*value // of a mapping
	elements  []*value          // of a sequence
	kind      yaml.Kind
}

// expand copies a tree with its aliases followed, so that a change to one place
// never shows at another. Aliases without end were refused when the document
// was checked.
func expand(n *yaml.Node) *value {
	if n.Kind == yaml.AliasNode {
		return expand(n.Alias)
	}
	v := &value{kind: n.Kind}
	switch n.Kind {
	case yaml.MappingNode:
		v.members = make(map[string]*value, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !merges(n.Content[i]) {
				v.members[expand(n.Content[i]).text] = expand(n.Content[i+1])
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if merges(n.Content[i]) {
				v.merge(expand(n.Content[i+1]))
			}
		}
	case yaml.SequenceNode:
		for _, element := range n.Content {
			v.elements = append(v.elements, expand(element))
		}
	default:
		v.tag, v.text = n.ShortTag(), n.Value
	}
	return v
}

// merges reports whether a key is a merge key of YAML 1.1.
func merges(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" }

// merge adds what a mapping, or each of a list of them, has and v has not.
func (v *value) merge(from *value) {
	for _, inner := range from.elements {
		v.merge(inner)
	}
	for name, x := range from.members {
		if _, own := v.members[name]; !own {
			v.members[name] = x
		}
	}
}

func same(a, b *value) bool {
	if a.empty() && b.empty() {
		return true // of "spec:" with its only member taken out, nothing is left
	}
	if a.kind != b.kind || a.tag != b.tag || a.text != b.text || len(a.members) != len(b.members) {
		return false
	}
	for name, x := range a.members {
		if y, ok := b.members[name]; !ok || !same(x, y) {
			return false
		}
	}
	return slices.EqualFunc(a.elements, b.elements, same)
}

func (v *value) empty() bool {
	return v.tag == "!!null" || v.kind == yaml.MappingNode && len(v.members) == 0
}

// child is a member of a mapping; one that is missing or no mapping is harmless.
func child(v *value, name string) *value {
	if v != nil && v.members[name] != nil {
		return v.members[name]
	}
	return &value{}
}

// remove takes the member at a path out, if it is there.
func (v *value) remove(path ...string) {
	last := len(path) - 1
	for _, name := range path[:last] {
		v = child(v, name)
	}
	delete(v.members, path[last])
}

func (v *value) set(name string, to *value) {
	if v.members == nil {
		v.members = map[string]*value{}
	}
	v.members[name] = to
}

func scalar(text string) *value { return &value{kind: yaml.ScalarNode, tag: "!!str", text: text} }

func list(elements ...*value) *value { return &value{kind: yaml.SequenceNode, elements: elements} }

// exposeTree makes on the tree what expose makes in the text.
func exposeTree(root *value, c *schema.Cluster, o Options) {
	root.remove("status")
	if c.Namespace == "" {
		child(root, "metadata").set("namespace", scalar(o.Namespace))
	}
	if o.Inject != InjectAdmission {
		return
	}
	variable := &value{kind: yaml.MappingNode}
	variable.set("name", scalar(schema.Marker))
	variable.set("value", scalar(markerValue))

	spec := child(root, "spec")
	containers := child(spec, "containers").elements
	i := slices.IndexFunc(containers, func(c *value) bool { return child(c, "name").text == schema.ServerContainer })
	if i < 0 {
		server := &value{kind: yaml.MappingNode}
		server.set("name", scalar(schema.ServerContainer))
		containers = append(containers, server)
		i = len(containers) - 1
	}
	env := child(containers[i], "env").elements
	if j := slices.IndexFunc(env, func(v *value) bool { return child(v, "name").text == schema.Marker }); j >= 0 {
		env[j] = variable
	} else {
		env = append(env, variable)
	}
	containers[i].set("env", list(env...))
	spec.set("containers", list(containers...))
}
