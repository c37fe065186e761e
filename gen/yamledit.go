package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/manifest"
)

// replace changes a stretch of the text and reads it again.
func (y *yamlText) replace(start, end int, with string) error {
	text := append(append(bytes.Clone(y.text[:start]), with...), y.text[end:]...)
	next, err := parseText(text)
	if err != nil {
		return err
	}
	*y = *next
	return nil
}

// remove takes an entry out: of a block its lines, of a flow collection the
// entry and one comma.
func (y *yamlText) remove(e entry) error {
	if !flow(e.parent) {
		return y.replace(y.lines[e.start().Line-1], y.afterLines(e), "")
	}
	start, end := y.offset(e.start()), y.afterValue(e)
	if rest := bytes.TrimLeft(y.text[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ',' {
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		return y.replace(start, len(y.text)-len(rest), "")
	}
	before := bytes.TrimRight(y.text[:start], " \t\r\n")
	if bytes.HasSuffix(before, []byte(",")) {
		start = len(before) - 1
	}
	return y.replace(start, end, "")
}

// fill gives an entry that is null or an empty list its elements.
func (y *yamlText) fill(e entry, elements any) error {
	if e.value.Kind == yaml.ScalarNode && e.value.Value == "" { // nothing behind the colon
		at := y.afterLines(e)
		lines, err := manifest.Encode(elements)
		if err != nil {
			return err
		}
		return y.replace(at, at, y.indented(string(lines), e.key.Column, e.key.Line))
	}
	start := y.offset(e.value)
	end := start + len(e.value.Value)
	if e.value.Kind == yaml.SequenceNode {
		end = y.closing(start)
	}
	return y.replace(start, end, node{"", elements}.flow())
}

// insertBefore and insertAfter add an entry beside another in its mapping or
// sequence, in the style of that.
func (y *yamlText) insertBefore(e entry, added node) error {
	at := y.offset(e.start())
	if flow(e.parent) {
		return y.replace(at, at, added.flow()+", ")
	}
	line := y.lines[e.start().Line-1]
	return y.replace(line, line, y.block(e, added))
}

func (y *yamlText) insertAfter(e entry, added node) error {
	if flow(e.parent) {
		at := y.afterValue(e)
		return y.replace(at, at, ", "+added.flow())
	}
	at := y.afterLines(e)
	text := y.block(e, added)
	if at > 0 && y.text[at-1] != '\n' {
		text = "\n" + strings.TrimSuffix(text, "\n")
	}
	return y.replace(at, at, text)
}

// block is the text of an entry as whole lines, indented as its neighbour.
func (y *yamlText) block(beside entry, added node) string {
	column := beside.start().Column
	if beside.key == nil {
		column = beside.parent.Column // that of the dash
	}
	return y.indented(added.block(), column, beside.start().Line)
}

// indented is text at a column, with the line ends of a line of the document.
func (y *yamlText) indented(block string, column, like int) string {
	indent, newline := strings.Repeat(" ", column-1), "\n"
	if bytes.Contains(y.line(like), []byte("\r\n")) {
		newline = "\r\n"
	}
	var text strings.Builder
	for line := range strings.Lines(block) {
		text.WriteString(indent + strings.TrimSuffix(line, "\n") + newline)
	}
	return text.String()
}

// node is something to insert: a member {key: value} of a mapping, or an
// element of a sequence if the key is empty.
type node struct {
	key   string
	value any
}

// block writes the node as lines of block style.
func (n node) block() string {
	var value any = []any{n.value}
	if n.key != "" {
		value = map[string]any{n.key: n.value}
	}
	text, err := manifest.Encode(value)
	if err != nil {
		panic(fmt.Sprintf("encoding a constant: %v", err)) // maps, lists and strings only
	}
	return string(text)
}

// flow writes the node in JSON, which is flow style in any YAML.
func (n node) flow() string {
	text, err := json.Marshal(n.value)
	if err != nil {
		panic(fmt.Sprintf("encoding a constant: %v", err))
	}
	if n.key == "" {
		return string(text)
	}
	return fmt.Sprintf("%q: %s", n.key, text)
}
