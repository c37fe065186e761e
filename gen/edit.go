package gen

import (
	"errors"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

var errNotPlain = errors.New("cannot be edited in place: the document has anchors, aliases, merge keys, complex keys or another " + schema.Marker + " there")

// edit is one change of a document, said twice: what its value becomes, and the
// change of its text.
type edit struct {
	value func(root any)
	text  func(*yamledit.Document) error
}

// edited is the text of a document after some edits. It is changed in place, not
// written anew. As a proof that nothing else changed, the result is read and
// compared with the value that it shall have.
func edited(source []byte, edits ...edit) (text []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			text, err = nil, fmt.Errorf("cannot be edited in place: %v", v)
		}
	}()
	y, err := yamledit.Parse(source)
	if err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	want := y.Value()
	for _, e := range edits {
		e.value(want)
		if err := e.text(y); err != nil {
			return nil, errNotPlain
		}
	}
	if !yamledit.Equal(y.Value(), want) {
		return nil, errNotPlain
	}
	return y.Text(), nil
}

// remove takes out the field at a path, if it is there.
func remove(path ...string) edit {
	return edit{
		value: func(root any) {
			last := len(path) - 1
			for _, name := range path[:last] {
				root = mapIn(root, name)
			}
			members, _ := root.(map[string]any)
			delete(members, path[last])
		},
		text: func(y *yamledit.Document) error {
			if e, ok := y.Find(path...); ok {
				return y.Remove(e)
			}
			return nil
		},
	}
}

// setNamespace writes a namespace where there is none, null or "".
func setNamespace(namespace string) edit {
	return edit{
		value: func(root any) { mapIn(root, "metadata")["namespace"] = namespace },
		text: func(y *yamledit.Document) error {
			if empty, ok := y.Find("metadata", "namespace"); ok {
				if err := y.Remove(empty); err != nil {
					return err
				}
			}
			name, ok := y.Find("metadata", "name")
			if !ok {
				return errNotPlain
			}
			return y.InsertAfter(name, "namespace", namespace)
		},
	}
}

// mapIn is a mapping inside a mapping. One that is missing, or is not a mapping,
// is an empty one that belongs to nothing.
func mapIn(of any, name string) map[string]any {
	members, _ := of.(map[string]any)
	if inner, ok := members[name].(map[string]any); ok {
		return inner
	}
	return map[string]any{}
}
