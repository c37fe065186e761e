package gen

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime"
)

// fields turns a typed object into what is written: a map without the fields
// that the server owns or fills in.
func fields(object any) (map[string]any, error) {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("converting %T: %w", object, err)
	}
	delete(m, "status")
	clean(m)
	return m, nil
}

// clean drops what no user would write: nulls, and the empty creationTimestamp
// of every metadata.
func clean(value any) {
	switch x := value.(type) {
	case map[string]any:
		for key, inner := range x {
			if inner == nil || key == "creationTimestamp" {
				delete(x, key)
				continue
			}
			clean(inner)
		}
	case []any:
		for _, inner := range x {
			clean(inner)
		}
	}
}

// marshal writes one object as YAML. Keys are sorted, numbers within them as
// numbers: 2-0 before 10-0.
func marshal(object any) ([]byte, error) {
	m, err := fields(object)
	if err != nil {
		return nil, err
	}
	return encode(m)
}

// encode writes a value the way kubectl does: two blanks, lists not indented.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	e.CompactSeqIndent()
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return out.Bytes(), nil
}
