package gen

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// fields turns a typed object into what is written: a map without the fields
// that the server owns or fills in. It goes through JSON: Kubernetes' own conversion
// copies all fields it knows for each one that it meets first, which took a third of
// the time for a small cluster.
func fields(object any) (map[string]any, error) {
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

// marshaller writes objects, one after another, in one format.
type marshaller interface {
	marshal(object any) ([]byte, error)
}

// yamlMarshaller writes YAML the way kubectl does: two blanks, lists not
// indented. Keys are sorted, numbers within them as numbers: 2-0 before 10-0.
//
// It keeps its encoder for a few objects: a new one costs a buffer of 128 KiB,
// and an old one remembers every token it wrote.
type yamlMarshaller struct {
	buffer  bytes.Buffer
	encoder *yaml.Encoder
	uses    int // of the encoder
}

// maxUses was the fastest of those tried, with 1000 shards.
const maxUses = 8

func (m *yamlMarshaller) marshal(object any) ([]byte, error) {
	f, err := fields(object)
	if err != nil {
		return nil, err
	}
	return m.encode(f)
}

func (m *yamlMarshaller) encode(value any) ([]byte, error) {
	if m.uses%maxUses == 0 {
		m.encoder = yaml.NewEncoder(&m.buffer)
		m.encoder.SetIndent(2)
		m.encoder.CompactSeqIndent()
	}
	m.uses++
	m.buffer.Reset()
	if err := m.encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	// All documents of an encoder but the first come with a separator.
	return bytes.Clone(bytes.TrimPrefix(m.buffer.Bytes(), []byte("---\n"))), nil
}

// Encode writes a single value, or a YAML node with its comments, as YAML.
func Encode(value any) ([]byte, error) { return new(yamlMarshaller).encode(value) }

// jsonMarshaller writes JSON.
type jsonMarshaller struct{}

func (jsonMarshaller) marshal(object any) ([]byte, error) {
	f, err := fields(object)
	if err != nil {
		return nil, err
	}
	return json.Marshal(f)
}
