package stream

import (
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Object is one object of a stream, as the parser beneath CUE's own YAML decoder
// reads it. It tells where things stand, never what they mean: values are CUE's.
type Object struct {
	Root   *yaml.Node // nil for a document without content
	Within string     // path of the object in its document, such as items[3]; "" for the document

	file   string
	line   int // lines before the document
	column int // characters before it on its first line
	lines  *lineMap
	// positions makes a function that finds fields of an object later on, without
	// keeping the tree; nil if the file is all that is known of any place.
	positions func(object string) func(path string) schema.Position
}

// Parsed is an object that was parsed elsewhere. The file is all that is known of
// any place in it.
func Parsed(file string, root *yaml.Node) Object { return Object{file: file, Root: root} }

// shift is a place in the document, as the parser counts, in the file.
func (o Object) shift(line, column int) schema.Position {
	return o.inFile(o.lines.find(line, column))
}

// inFile is a place in the document in the file.
func (o Object) inFile(line, column int) schema.Position {
	if line == 1 {
		column += o.column
	}
	return schema.Position{File: o.file, Line: o.line + line, Column: column}
}

// Position is where a node of the object stands in the file.
func (o Object) Position(n *yaml.Node) schema.Position {
	if o.positions == nil {
		return schema.Position{File: o.file}
	}
	return o.shift(n.Line, n.Column)
}

// item is an object inside a List.
func (o Object) item(n *yaml.Node, path string) Object {
	o.Root, o.Within = n, path
	return o
}
