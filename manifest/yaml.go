package manifest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Encode writes a single value, or a YAML node with its comments, as YAML the way
// kubectl does: two blanks, lists not indented. Keys are sorted, numbers within them
// as numbers: 2-0 before 10-0. Nothing is dropped from the value.
//
// The bytes are those of the YAML library, which is asked for whatever is not plain;
// only keys that it does not order have an order of our own (compareKeys).
func Encode(value any) ([]byte, error) {
	if text, ok := plainYAML(value); ok {
		return text, nil
	}
	return libraryYAML(value)
}

func libraryYAML(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := yaml.NewEncoder(&buffer)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	ordered, err := inOrder(value)
	if err == nil {
		err = encoder.Encode(ordered)
	}
	if err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return buffer.Bytes(), nil
}

// inOrder is the value with each map that the library cannot order as a node in order:
// the same value has the same bytes each time.
func inOrder(value any) (any, error) {
	switch x := value.(type) {
	case map[string]any:
		out, node := make(map[string]any, len(x)), &yaml.Node{Kind: yaml.MappingNode}
		sorted := true
		for key, inner := range x {
			ordered, err := inOrder(inner)
			if err != nil {
				return nil, err
			}
			out[key] = ordered
			sorted = sorted && sortable(key)
		}
		if sorted {
			return out, nil
		}
		for _, key := range slices.SortedFunc(maps.Keys(out), compareKeys) {
			for _, part := range []any{key, out[key]} {
				var n yaml.Node
				if err := n.Encode(part); err != nil {
					return nil, err
				}
				node.Content = append(node.Content, &n)
			}
		}
		return node, nil
	case []any:
		out := make([]any, len(x))
		for i, element := range x {
			var err error
			if out[i], err = inOrder(element); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}
