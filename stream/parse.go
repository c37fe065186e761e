package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// Bounds of a document's tree.
const (
	// MaxDepth bounds the nesting of what is looked into. The operator's CRD has about
	// 15 levels.
	MaxDepth = 100
	// MaxDocument is the size of the largest object, in bytes: etcd takes no larger
	// request by default.
	MaxDocument = 1536 << 10
	// maxValues bounds the values of a document that is larger than an API server
	// takes, as only a List may be: each is a yaml.Node in memory, far more than its text.
	maxValues = 1 << 20
)

// parse reads the document of a chunk. The problem, if any, is a syntax error.
func parse(file string, c Chunk) (Object, *schema.Problem) {
	o := Object{file: file, line: c.Line - 1, column: c.column, lines: mapLines(c.Source)}
	if len(c.Source) > MaxDocument && mayHold(c.Source) > maxValues {
		return o, &schema.Problem{
			Position: o.shift(1, 1),
			Message:  fmt.Sprintf("is larger than the %d KiB an API server takes, and holds more than a million values", MaxDocument>>10),
		}
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(yamledit.WithoutTabs(c.Source)))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		p := o.SyntaxError(err, c.Source)
		return o, &p
	}
	if len(document.Content) > 0 {
		o.Root = document.Content[0]
	}
	if o.Root != nil {
		if at, message := endless(o.Root); at != nil {
			return o, &schema.Problem{Position: o.shift(at.Line, at.Column), Message: "YAML syntax: " + message}
		}
	}
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		p := o.secondDocument(err, c.Source)
		return o, &p
	default:
		return o, &schema.Problem{
			Position: o.shift(second.Line, second.Column),
			Message:  "begins a second document, which some YAML readers do not see",
			Hint:     "put --- on a line of its own between them",
		}
	}
	return o, nil
}

// mayHold is how many values a YAML text holds at most, and seldom far more: each
// but the first stands behind one of these.
func mayHold(text []byte) int {
	n := 1
	for i, c := range text {
		switch c {
		case '\n', '\r', ',', '[', '{':
			n++
		case ':', '-', '?':
			if i+1 == len(text) || bytes.IndexByte([]byte(" \t\r\n"), text[i+1]) >= 0 || i > 0 && text[i-1] == '"' {
				n++
			}
		}
	}
	return n
}
