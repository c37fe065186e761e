package main

import (
	"fmt"
	"slices"
)

// structural is a type as a structural schema of Kubernetes.
func (m module) structural(t *valueType) (map[string]any, error) {
	schema := t.scalar()
	switch t.kind {
	case "object":
		properties := map[string]any{}
		for _, f := range t.fields {
			inner, err := m.structural(f.value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			properties[f.name] = inner
		}
		schema["type"], schema["properties"] = "object", properties
		if required := t.required(); required != nil {
			schema["required"] = required
		}
	case "map":
		inner, err := m.structural(t.item)
		if err != nil {
			return nil, err
		}
		schema["type"], schema["additionalProperties"] = "object", inner
		if t.maxProperties > 0 {
			schema["maxProperties"] = t.maxProperties
		}
	case "array":
		inner, err := m.structural(t.item)
		if err != nil {
			return nil, err
		}
		schema["type"], schema["items"], schema["x-kubernetes-list-type"] = "array", inner, "atomic"
		if t.maxItems > 0 {
			schema["maxItems"] = t.maxItems
		}
		if t.mapKey != "" {
			schema["x-kubernetes-list-type"] = "map"
			schema["x-kubernetes-list-map-keys"] = []string{t.mapKey}
		}
	}
	if t.orList {
		// A structural schema has no value of two types but this. Its pattern is held to
		// a string, and not to a list.
		delete(schema, "type")
		schema["x-kubernetes-preserve-unknown-fields"] = true
	}
	rules := t.rules
	if t.notPattern != "" { // as "not", it would be refused without the field and the reason
		rules = append(slices.Clip(rules), valueRule{"self.matches(" + celString(t.notPattern) + ")", t.words})
	}
	var validations []any
	for _, r := range rules {
		validation := map[string]any{"rule": "!(" + r.condition + ")"}
		if err := m.putMessage(validation, r.words); err != nil {
			return nil, err
		}
		validations = append(validations, validation)
	}
	if validations != nil {
		schema["x-kubernetes-validations"] = validations
	}
	return schema, nil
}
