package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Entry is one member of a mapping, or one element of a sequence. It is good
// until the next change of its Document: find it again after that.
type Entry struct {
	parent     *yaml.Node
	key, value *yaml.Node // an element has no key
	limit      int        // the line, from 1, that the next node after the entry stands on
}

// Find follows a path of names down the mappings. It is false if one is missing.
// An empty path is the whole document, which can be looked into, and not changed.
func (d *Document) Find(path ...string) (e Entry, ok bool) {
	e = Entry{value: d.root, limit: d.end()}
	for _, name := range path {
		if e, ok = e.Member(name); !ok {
			return e, false
		}
	}
	return e, true
}

// end is the line after the document's last: that of a "...", or past the text.
func (d *Document) end() int {
	for n := len(d.lines) - 1; n >= 1; n-- {
		if bytes.HasPrefix(d.line(n), []byte("...")) {
			return n
		}
	}
	return len(d.lines)
}

// Member finds a mapping's member by name. It is false if there is none, and for
// what is not a mapping.
func (e Entry) Member(name string) (Entry, bool) {
	if e.value.Kind != yaml.MappingNode {
		return Entry{}, false
	}
	for i := 0; i+1 < len(e.value.Content); i += 2 {
		if e.value.Content[i].Value == name {
			return e.at(i), true
		}
	}
	return Entry{}, false
}

// Elements are the elements of a sequence.
func (e Entry) Elements() []Entry {
	if !e.IsList() {
		return nil
	}
	elements := make([]Entry, len(e.value.Content))
	for i := range elements {
		elements[i] = e.at(i)
	}
	return elements
}

// at is the member or element with an index in the value's Content.
func (e Entry) at(index int) Entry {
	in := Entry{parent: e.value, value: e.value.Content[index], limit: e.limit}
	next := index + 1
	if e.value.Kind == yaml.MappingNode {
		in.key, in.value = e.value.Content[index], e.value.Content[index+1]
		next++
	}
	if next < len(e.value.Content) {
		in.limit = e.value.Content[next].Line
	}
	return in
}

// IsList reports whether the value is a sequence.
func (e Entry) IsList() bool { return e.value.Kind == yaml.SequenceNode }

// IsEmpty reports whether the value is null or a sequence without elements: what
// Fill fills.
func (e Entry) IsEmpty() bool {
	return e.IsList() && len(e.value.Content) == 0 || e.value.Kind == yaml.ScalarNode && e.value.ShortTag() == "!!null"
}

// Scalar is the text of a scalar, without quotes and escapes; "" for a collection.
func (e Entry) Scalar() string {
	if e.value.Kind != yaml.ScalarNode {
		return ""
	}
	return e.value.Value
}

// start is the node the entry begins with.
func (e Entry) start() *yaml.Node {
	if e.key != nil {
		return e.key
	}
	return e.value
}

// inFlow reports whether the entry stands between brackets.
func (e Entry) inFlow() bool { return e.parent.Style&yaml.FlowStyle != 0 }
