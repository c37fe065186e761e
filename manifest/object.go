// Package manifest writes objects as the text of files: typed objects of Kubernetes
// without what its server owns, and plain values as they are.
package manifest

import (
	"encoding/json"
	"fmt"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Fields turns a typed object into what is written: a map without the fields
// that the server owns or fills in. It goes through JSON: Kubernetes' own conversion
// copies all fields it knows for each one that it meets first, and a small cluster is
// made of little else.
func Fields(object any) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("converting %T: %w", object, err)
	}
	var m map[string]any
	if err := utiljson.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("converting %T: %w", object, err)
	}
	delete(m, "status")
	clean(m)
	return m, nil
}

// clean drops the nulls, which no user would write.
func clean(value any) {
	switch x := value.(type) {
	case map[string]any:
		for key, inner := range x {
			if inner == nil {
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

// YAML writes an object as YAML: the bytes are Encode's of its Fields.
func YAML(object any) ([]byte, error) {
	if text, ok := plainObject(object); ok {
		return text, nil
	}
	f, err := Fields(object)
	if err != nil {
		return nil, err
	}
	return libraryYAML(f)
}

// plainObject writes an object if all of it is plain.
func plainObject(object any) ([]byte, bool) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, false
	}
	all, ok := decode(text).(members)
	if !ok {
		return nil, false
	}
	return plainYAML(slices.DeleteFunc(all, func(m member) bool { return m.key == "status" }))
}

// JSON writes an object as JSON on one line.
func JSON(object any) ([]byte, error) {
	f, err := Fields(object)
	if err != nil {
		return nil, err
	}
	return json.Marshal(f)
}
