// Package yamledit changes a YAML document in its text: what is not touched
// stays byte for byte, comments, quotes and all.
//
// The parser tells where things stand, and the text is cut there. That is exact
// for what people and serializers write, and a guess for the rest (a "#" that a
// tag hides, an anchor on what is removed). So whoever edits proves the result:
// make the same changes to the document's Value, and compare it with the Value of
// the new text.
package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Document is the text of one YAML document, and where things stand in it.
type Document struct {
	text  []byte
	root  *yaml.Node
	lines []int // offset of each line's start, and of the end
}

// Parse reads the text of a single document. It may be JSON, and be indented with
// tabs then. A text that holds nothing, a second document, an anchor around
// itself, or a character that ends a line to some YAML readers alone, is an error.
func Parse(text []byte) (*Document, error) {
	if bytes.ContainsAny(bytes.ReplaceAll(text, []byte("\r\n"), nil), "\r\u0085\u2028\u2029") {
		return nil, errors.New("a line end other than a line feed")
	}
	decoder := yaml.NewDecoder(bytes.NewReader(WithoutTabs(text)))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, errors.New("no content")
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, fmt.Errorf("line %d begins a second document", second.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	d := &Document{text: text, root: document.Content[0], lines: []int{0}}
	if err := finite(d.root, nil); err != nil {
		return nil, err
	}
	for i, c := range text {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	if d.lines[len(d.lines)-1] != len(text) {
		d.lines = append(d.lines, len(text))
	}
	return d, nil
}

// finite refuses a node that is inside itself, by an alias of what is around it.
func finite(n *yaml.Node, around map[*yaml.Node]bool) error {
	if n.Kind == yaml.AliasNode {
		if around[n.Alias] {
			return fmt.Errorf("anchor %q contains itself", n.Value)
		}
		return nil // the anchor stands above, and was looked at there
	}
	if n.Anchor != "" {
		if around == nil {
			around = map[*yaml.Node]bool{}
		}
		around[n] = true
		defer delete(around, n)
	}
	for _, inner := range n.Content {
		if err := finite(inner, around); err != nil {
			return err
		}
	}
	return nil
}

// Text is the document as it stands now.
func (d *Document) Text() []byte { return d.text }

// line is the text of a line, counted from 1.
func (d *Document) line(n int) []byte { return d.text[d.lines[n-1]:d.lines[n]] }

// WithoutTabs returns a document as the YAML parser takes it: JSON may begin with
// tabs, YAML may not, so those of JSON become blanks. Every byte keeps its
// place. Any other text is returned as it is.
func WithoutTabs(text []byte) []byte {
	if bytes.IndexByte(text, '\t') < 0 || !json.Valid(text) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
}
