package stream

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// IsList reports whether the object is a List, as kubectl tells one.
func (o Object) IsList() bool { return o.items() != nil }

// items are the elements of a List, as kubectl tells one: its kind ends in List,
// and it has items.
func (o Object) items() []*yaml.Node {
	items := o.Member("items")
	if items == nil || items.Kind != yaml.SequenceNode || !strings.HasSuffix(o.Text("kind"), "List") {
		return nil
	}
	return items.Content
}

// Objects lists the objects inside a List, and inside Lists in it, and whatever stands
// in their place.
func (o Object) Objects() ([]Object, *schema.Problem) {
	var all []Object
	problem := o.flatten(&all, 0)
	return all, problem
}

func (o Object) flatten(objects *[]Object, depth int) *schema.Problem {
	if depth > MaxDepth {
		p := o.Problem("", fmt.Sprintf("is nested more than %d levels deep", MaxDepth), "")
		return &p
	}
	for i, item := range o.items() {
		inner := o.item(Resolve(item), inObject(o.Within, fmt.Sprintf("items[%d]", i)))
		if inner.items() != nil {
			if p := inner.flatten(objects, depth+1); p != nil {
				return p
			}
			continue
		}
		*objects = append(*objects, inner)
		if len(*objects) > maxValues {
			p := o.Problem("", "holds more than a million objects", "")
			return &p
		}
	}
	return nil
}

// Encode writes the object as a document of its own.
func (o Object) Encode() ([]byte, error) {
	left := maxValues / 8
	own, err := detach(o.Root, &left, 0)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(own); err != nil {
		return nil, fmt.Errorf("writing an object of a List: %w", err)
	}
	return out.Bytes(), nil
}
