package resourcelist

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/manifest"
)

// batch is how many items are written at once: the encoder keeps every event
// until it is done, which takes more memory than the tree.
const batch = 500

// Write is the list with its items and results as they are now.
func (l *List) Write(results []Result) ([]byte, error) {
	first := min(batch, len(l.Items))
	l.set("items", &yaml.Node{Kind: yaml.SequenceNode, Content: l.Items[:first]})
	if len(results) > 0 {
		var list yaml.Node
		if err := list.Encode(results); err != nil {
			return nil, fmt.Errorf("writing the results: %w", err)
		}
		l.set("results", &list)
	}
	var out bytes.Buffer
	put := func(kind yaml.Kind, content []*yaml.Node) error {
		text, err := manifest.Encode(&yaml.Node{Kind: kind, Content: content})
		out.Write(text)
		return err
	}
	for pair := range slices.Chunk(l.root.Content, 2) {
		if err := put(yaml.MappingNode, pair); err != nil {
			return nil, err
		}
		if pair[0].Value != "items" {
			continue
		}
		for more := range slices.Chunk(l.Items[first:], batch) {
			if err := put(yaml.SequenceNode, more); err != nil {
				return nil, err
			}
		}
	}
	return out.Bytes(), nil
}
