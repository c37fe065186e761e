package yamledit

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Scalar is a scalar that is neither a string nor null. Its text is not
// interpreted: that of an edited document is the same as before.
type Scalar struct{ Tag, Text string }

// Value is what the document says, without styles, comments and aliases: a
// map[string]any, []any, string, nil or Scalar. Merge keys are merged. It shares
// nothing, so that a change to one place never shows at another: of a document
// with aliases of aliases it may be far larger than the text.
func (d *Document) Value() any { return valueOf(d.root) }

func valueOf(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return valueOf(n.Alias)
	case yaml.MappingNode:
		members := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !IsMergeKey(n.Content[i]) {
				members[nameOf(n.Content[i])] = valueOf(n.Content[i+1])
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if IsMergeKey(n.Content[i]) {
				merge(members, valueOf(n.Content[i+1]))
			}
		}
		return members
	case yaml.SequenceNode:
		elements := make([]any, len(n.Content))
		for i, element := range n.Content {
			elements[i] = valueOf(element)
		}
		return elements
	}
	switch tag := n.ShortTag(); tag {
	case "!!null":
		return nil
	case "!!str":
		return n.Value
	default:
		return Scalar{tag, n.Value}
	}
}

// nameOf is the text of a key, whatever its type.
func nameOf(key *yaml.Node) string {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	return key.Value
}

// IsMergeKey reports whether a key is a merge key of YAML 1.1, as yaml.v3 has it:
// no other text of that type is one, and none in quotes.
func IsMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.ShortTag() == "!!merge"
}

// merge adds what a mapping, or each of a list of them, has and the members lack.
func merge(members map[string]any, from any) {
	switch from := from.(type) {
	case []any:
		for _, inner := range from {
			merge(members, inner)
		}
	case map[string]any:
		for name, value := range from {
			if _, own := members[name]; !own {
				members[name] = value
			}
		}
	}
}

// Equal compares two values. Null is equal to a mapping without members: of
// "spec:" with its only member taken out, nothing is left.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case nil:
		return isNothing(b)
	case map[string]any:
		other, ok := b.(map[string]any)
		return isNothing(a) && isNothing(b) || ok && maps.EqualFunc(a, other, Equal)
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, Equal)
	}
	return a == b
}

// isNothing reports whether a value is null or a mapping without members.
func isNothing(value any) bool {
	members, ok := value.(map[string]any)
	return value == nil || ok && len(members) == 0
}
