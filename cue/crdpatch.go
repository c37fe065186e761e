package rules

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// crdHead stands above the operations of the patch.
const crdHead = `# External access for the valkey-operator's CRD valkeyclusters.valkey.io: a JSON6902
# patch for kustomize (docs/reference.md). Generated from cue/*.cue by make generate.
#
# It refuses a CRD whose first version is not v1alpha1, that has one of the fields
# itself, or rules of its own for the whole object; and it appends to the rules of
# spec, which the CRD must have.
`

// Places in the CRD.
const (
	crdVersion     = "/spec/versions/0"
	crdRoot        = crdVersion + "/schema/openAPIV3Schema"
	crdSpec        = crdRoot + "/properties/spec"
	crdStatus      = crdRoot + "/properties/status/properties"
	crdValidations = "/x-kubernetes-validations"
)

// CRDPatch is the patch that adds spec.externalAccess and
// status.externalEndpoints to the operator's CRD, with the rules as CEL. What
// the CRD has stays.
func CRDPatch() ([]byte, error) {
	s, err := newSource()
	if err != nil {
		return nil, err
	}
	operations := []any{map[string]any{"op": "test", "path": crdVersion + "/name", "value": "v1alpha1"}}
	add := func(path string, value any) {
		operations = append(operations, map[string]any{"op": "add", "path": path, "value": value})
	}
	addNew := func(path string, value any) {
		operations = append(operations, map[string]any{"op": "test", "path": path, "value": nil})
		add(path, value)
	}

	access, err := s.node("#ExternalAccess")
	if err != nil {
		return nil, err
	}
	access.doc = "How clients outside the cluster reach it. Rendered by valkey-expose."
	schema, err := s.structural(access)
	if err != nil {
		return nil, err
	}
	addNew(crdSpec+"/properties/externalAccess", schema)

	status, err := s.node("#Status")
	if err != nil {
		return nil, err
	}
	for _, field := range status.fields {
		schema, err := s.structural(field.node)
		if err != nil {
			return nil, err
		}
		addNew(crdStatus+"/"+field.name, schema)
	}

	rules, err := s.celRules()
	if err != nil {
		return nil, err
	}
	var ofRoot []any
	for _, r := range rules {
		if r.condition == "" {
			continue
		}
		validation, err := s.validation(r)
		if err != nil {
			return nil, fmt.Errorf("the rule of %s: %w", r.path, err)
		}
		if r.ofRoot {
			ofRoot = append(ofRoot, validation)
		} else {
			add(crdSpec+crdValidations+"/-", validation)
		}
	}
	addNew(crdRoot+crdValidations, ofRoot)

	text := bytes.NewBufferString(crdHead)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	if err := encoder.Encode(operations); err != nil {
		return nil, fmt.Errorf("writing the patch: %w", err)
	}
	return text.Bytes(), nil
}

// structural is a node as a structural schema of Kubernetes.
func (s source) structural(n *node) (map[string]any, error) {
	schema := n.scalar()
	switch n.kind {
	case "object":
		properties := map[string]any{}
		for _, f := range n.fields {
			inner, err := s.structural(f.node)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			properties[f.name] = inner
		}
		schema["type"], schema["properties"] = "object", properties
		if required := n.required(); required != nil {
			schema["required"] = required
		}
	case "map":
		inner, err := s.structural(n.item)
		if err != nil {
			return nil, err
		}
		schema["type"], schema["additionalProperties"] = "object", inner
		if n.maxProperties > 0 {
			schema["maxProperties"] = n.maxProperties
		}
	case "array":
		inner, err := s.structural(n.item)
		if err != nil {
			return nil, err
		}
		schema["type"], schema["items"], schema["x-kubernetes-list-type"] = "array", inner, "atomic"
		if n.maxItems > 0 {
			schema["maxItems"] = n.maxItems
		}
		if n.mapKey != "" {
			schema["x-kubernetes-list-type"] = "map"
			schema["x-kubernetes-list-map-keys"] = []string{n.mapKey}
		}
	case "string":
		// As "not", it would be refused without the field and the reason.
		if n.notPattern != "" {
			n.rules = append(n.rules, valueRule{"self.matches(" + celString(n.notPattern) + ")", n.words})
		}
	}
	var validations []any
	for _, r := range n.rules {
		validation := map[string]any{"rule": "!(" + r.condition + ")"}
		if err := s.putMessage(validation, r.words); err != nil {
			return nil, err
		}
		validations = append(validations, validation)
	}
	if validations != nil {
		schema["x-kubernetes-validations"] = validations
	}
	return schema, nil
}
