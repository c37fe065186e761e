package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// jsonSchema describes the block in a ValkeyCluster for editors, which complete
// and check it as it is written. Nothing else in the document is described.
func (m module) jsonSchema([]byte) ([]byte, error) {
	access, err := m.typeOf("#ExternalAccess")
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
		"description": generated,
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

// jsonSchema is a type as a JSON Schema.
func (t *valueType) jsonSchema() map[string]any {
	schema := t.scalar()
	switch t.kind {
	case "object":
		properties := map[string]any{}
		for _, f := range t.fields {
			properties[f.name] = f.value.jsonSchema()
		}
		schema["type"], schema["properties"], schema["additionalProperties"] = "object", properties, false
		if required := t.required(); required != nil {
			schema["required"] = required
		}
	case "map":
		schema["type"], schema["additionalProperties"] = "object", false
		patterns := map[string]any{t.keys: t.item.jsonSchema()}
		for _, refused := range t.refused {
			patterns[refused] = false
		}
		schema["patternProperties"] = patterns
	case "array":
		schema["type"], schema["items"] = "array", t.item.jsonSchema()
	case "string":
		if t.notPattern != "" {
			schema["not"] = map[string]any{"pattern": t.notPattern}
		}
	}
	if t.orList {
		schema = map[string]any{"anyOf": []any{schema, map[string]any{"type": "array"}}}
	}
	return schema
}
