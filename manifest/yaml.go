package manifest

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Encode writes a single value, or a YAML node with its comments, as YAML the way
// kubectl does: two blanks, lists not indented. Keys are sorted, numbers within them
// as numbers: 2-0 before 10-0. Nothing is dropped from the value.
//
// The bytes are those of the YAML library, which is asked for whatever is not plain.
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
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return buffer.Bytes(), nil
}
