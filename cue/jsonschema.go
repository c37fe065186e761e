package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSONSchema describes the block in a ValkeyCluster for editors, which complete
// and check it as it is written. Nothing else in the document is described.
func JSONSchema() ([]byte, error) {
	s, err := newSource()
	if err != nil {
		return nil, err
	}
	access, err := s.node("#ExternalAccess")
	if err != nil {
		return nil, err
	}
	block := access.jsonSchema()
	block["type"] = []string{"object", "null"}
	block["description"] = "How clients outside the cluster reach it."
	text := &bytes.Buffer{}
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(map[string]any{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       "ValkeyCluster with external access",
		"description": "Generated from cue/*.cue by make generate.",
		"type":        "object",
		"properties": map[string]any{
			"spec": map[string]any{
				"properties": map[string]any{"externalAccess": block},
			},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("writing the schema: %w", err)
	}
	return text.Bytes(), nil
}

// jsonSchema is a node as a JSON Schema.
func (n *node) jsonSchema() map[string]any {
	schema := n.scalar()
	switch n.kind {
	case "object":
		properties := map[string]any{}
		for _, f := range n.fields {
			properties[f.name] = f.node.jsonSchema()
		}
		schema["type"], schema["properties"], schema["additionalProperties"] = "object", properties, false
		if required := n.required(); required != nil {
			schema["required"] = required
		}
	case "map":
		schema["type"], schema["additionalProperties"] = "object", false
		patterns := map[string]any{n.keys: n.item.jsonSchema()}
		for _, refused := range n.refused {
			patterns[refused] = false
		}
		schema["patternProperties"] = patterns
	case "array":
		schema["type"], schema["items"] = "array", n.item.jsonSchema()
	case "string":
		if n.notPattern != "" {
			schema["not"] = map[string]any{"pattern": n.notPattern}
		}
	}
	return schema
}

// scalar is what both kinds of schemas say alike.
func (n *node) scalar() map[string]any {
	schema := map[string]any{"type": n.kind}
	if n.doc != "" {
		schema["description"] = n.doc
	}
	if n.enum != nil {
		schema["enum"] = n.enum
	}
	if n.pattern != "" {
		schema["pattern"] = n.pattern
	}
	if n.maxLength > 0 {
		schema["maxLength"] = n.maxLength
	}
	if n.minimum != nil {
		schema["minimum"] = *n.minimum
	}
	if n.maximum != nil {
		schema["maximum"] = *n.maximum
	}
	return schema
}

func (n *node) required() []string {
	var names []string
	for _, f := range n.fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	return names
}
