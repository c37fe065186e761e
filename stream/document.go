package stream

import "github.com/valkey-expose/valkey-expose/schema"

// Document is the object as others are handed it, with its text; nil for one
// inside a List.
func (o Object) Document(source []byte) schema.Document {
	return schema.Document{
		Source:     source,
		APIVersion: o.Text("apiVersion"), Kind: o.Text("kind"),
		Namespace: o.Text("metadata", "namespace"), Name: o.Text("metadata", "name"),
		Within: o.Within,
		Locate: o.locator(),
	}
}

// locator finds the places of the object's fields.
func (o Object) locator() func(path string) schema.Position {
	if o.positions == nil {
		return func(string) schema.Position { return schema.Position{File: o.file} }
	}
	return o.positions(o.Within)
}

// PathInDocument is the path of a field of the object from the top of its document.
func (o Object) PathInDocument(path string) string { return inObject(o.Within, path) }

// inObject is the path of a field of an object inside a List.
func inObject(object, path string) string {
	if object == "" || path == "" {
		return object + path
	}
	return object + "." + path
}
