package main

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// crdHead stands above the operations of the patch.
const crdHead = `# External access for the valkey-operator's CRD valkeyclusters.valkey.io: a JSON6902
# patch for kustomize (docs/reference.md). ` + generated + `
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

// crdPatch is the patch that adds spec.externalAccess and
// status.externalEndpoints to the operator's CRD, with the rules as CEL. What
// the CRD has stays.
func (m module) crdPatch([]byte) ([]byte, error) {
	operations := []any{map[string]any{"op": "test", "path": crdVersion + "/name", "value": "v1alpha1"}}
	add := func(path string, value any) {
		operations = append(operations, map[string]any{"op": "add", "path": path, "value": value})
	}
	addNew := func(path string, value any) {
		operations = append(operations, map[string]any{"op": "test", "path": path, "value": nil})
		add(path, value)
	}

	access, err := m.typeOf("#ExternalAccess")
	if err != nil {
		return nil, err
	}
	access.doc = "How clients outside the cluster reach it. Rendered by valkey-expose."
	schema, err := m.structural(access)
	if err != nil {
		return nil, err
	}
	addNew(crdSpec+"/properties/externalAccess", schema)

	status, err := m.typeOf("#Status")
	if err != nil {
		return nil, err
	}
	for _, field := range status.fields {
		schema, err := m.structural(field.value)
		if err != nil {
			return nil, err
		}
		addNew(crdStatus+"/"+field.name, schema)
	}

	rules, err := m.celRules()
	if err != nil {
		return nil, err
	}
	var ofRoot []any
	for _, r := range rules {
		if r.condition == "" {
			continue
		}
		validation, err := m.validation(r)
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
