package yamledit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Remove takes an entry out: of a block its lines, of a flow collection the
// entry and one comma.
func (d *Document) Remove(e Entry) error {
	if !e.inFlow() {
		return d.replace(d.lines[e.start().Line-1], d.afterLines(e), "")
	}
	start, end := d.offset(e.start()), d.afterValue(e)
	if rest := bytes.TrimLeft(d.text[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ',' {
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		return d.replace(start, len(d.text)-len(rest), "")
	}
	before := bytes.TrimRight(d.text[:start], " \t\r\n")
	if bytes.HasSuffix(before, []byte(",")) {
		start = len(before) - 1
	}
	return d.replace(start, end, "")
}

// Fill gives a member that is empty (IsEmpty) its elements.
func (d *Document) Fill(e Entry, elements any) error {
	if e.value.Kind == yaml.ScalarNode && e.value.Value == "" { // nothing behind the colon
		lines, err := block(elements)
		if err != nil {
			return err
		}
		at := d.afterLines(e)
		return d.replace(at, at, d.indented(lines, e.key.Column, e.key.Line))
	}
	text, err := json.Marshal(elements)
	if err != nil {
		return err
	}
	start := d.offset(e.value)
	end := start + len(e.value.Value)
	if e.IsList() {
		end = d.closing(start)
	}
	return d.replace(start, end, string(text))
}

// InsertBefore adds an entry beside another, in the style of that: a member of
// this key beside a member; the value alone, the key being empty, beside an
// element.
func (d *Document) InsertBefore(e Entry, key string, value any) error {
	if e.inFlow() {
		text, err := flowEntry(key, value)
		if err != nil {
			return err
		}
		at := d.offset(e.start())
		return d.replace(at, at, text+", ")
	}
	text, err := d.blockEntry(e, key, value)
	if err != nil {
		return err
	}
	at := d.lines[e.start().Line-1]
	return d.replace(at, at, text)
}

// InsertAfter is InsertBefore behind the other entry.
func (d *Document) InsertAfter(e Entry, key string, value any) error {
	if e.inFlow() {
		text, err := flowEntry(key, value)
		if err != nil {
			return err
		}
		at := d.afterValue(e)
		return d.replace(at, at, ", "+text)
	}
	text, err := d.blockEntry(e, key, value)
	if err != nil {
		return err
	}
	at := d.afterLines(e)
	if at > 0 && d.text[at-1] != '\n' {
		text = "\n" + strings.TrimSuffix(text, "\n")
	}
	return d.replace(at, at, text)
}

// replace changes a stretch of the text and reads it again.
func (d *Document) replace(start, end int, with string) error {
	next, err := Parse(append(append(bytes.Clone(d.text[:start]), with...), d.text[end:]...))
	if err != nil {
		return err
	}
	*d = *next
	return nil
}

// blockEntry is the text of an entry as whole lines, indented as its neighbour.
func (d *Document) blockEntry(beside Entry, key string, value any) (string, error) {
	column := beside.start().Column
	var whole any = map[string]any{key: value}
	if key == "" {
		whole = []any{value}
	}
	if beside.key == nil {
		column = beside.parent.Column // that of the dash
	}
	lines, err := block(whole)
	return d.indented(lines, column, beside.start().Line), err
}

// indented is text at a column, with the line ends of a line of the document.
func (d *Document) indented(block string, column, like int) string {
	indent, newline := strings.Repeat(" ", column-1), "\n"
	if bytes.HasSuffix(d.line(like), []byte("\r\n")) {
		newline = "\r\n"
	}
	var text strings.Builder
	for line := range strings.Lines(block) {
		text.WriteString(indent + strings.TrimSuffix(line, "\n") + newline)
	}
	return text.String()
}

// block writes a value as lines the way kubectl does: two blanks, lists not
// indented.
func block(value any) (string, error) {
	var text strings.Builder
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	err := encoder.Encode(value)
	return text.String(), err
}

// flowEntry writes an entry in JSON, which is flow style in any YAML.
func flowEntry(key string, value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil || key == "" {
		return string(text), err
	}
	name, err := json.Marshal(key)
	return fmt.Sprintf("%s: %s", name, text), err
}
