package gen

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/manifest"
)

// Stream renders the documents as one YAML stream. An exposed cluster becomes its
// objects, at its place; every other document passes through byte for byte.
func (r *Rendering) Stream() ([]byte, error) {
	all, err := r.parts(asItIs)
	if err != nil {
		return nil, err
	}
	texts, err := write(all, manifest.YAML)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i, text := range texts {
		appendDocument(&out, all[i], text)
	}
	return out.Bytes(), nil
}

// List renders the documents as one JSON object of kind List.
func (r *Rendering) List() ([]byte, error) {
	all, err := r.parts(asItIs)
	if err != nil {
		return nil, err
	}
	texts, err := write(all, manifest.JSON)
	if err != nil {
		return nil, err
	}
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{"v1", "List", []json.RawMessage{}}
	for i, text := range texts {
		if all[i].value == nil {
			if text, err = yaml.YAMLToJSON(text); err != nil {
				return nil, fmt.Errorf("converting a document to JSON: %w", err)
			}
			if string(text) == "null" {
				continue
			}
		}
		list.Items = append(list.Items, text)
	}
	out, err := json.MarshalIndent(list, "", "    ")
	return append(out, '\n'), err
}

func asItIs(d *document) []byte { return d.text }
