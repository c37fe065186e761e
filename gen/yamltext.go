package gen

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// yamlText is a YAML document that is changed in its text: what is not touched
// stays byte for byte, comments, quotes and all. The tree tells where things
// stand. After every change it is read again.
type yamlText struct {
	text  []byte
	root  *yaml.Node
	lines []int // offset of each line's start, and of the end
}

func parseText(text []byte) (*yamlText, error) {
	y := &yamlText{text: text, lines: []int{0}}
	var document yaml.Node
	if err := yaml.Unmarshal(schema.PlainYAML(text), &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, fmt.Errorf("no content")
	}
	y.root = document.Content[0]
	for i, c := range text {
		if c == '\n' {
			y.lines = append(y.lines, i+1)
		}
	}
	if y.lines[len(y.lines)-1] != len(text) {
		y.lines = append(y.lines, len(text))
	}
	return y, nil
}

// entry is one member of a mapping, or of a sequence (then without a key).
type entry struct {
	parent     *yaml.Node
	index      int // in parent.Content
	key, value *yaml.Node
	limit      int // the line, from 1, that the next node after the entry stands on
}

// start is the node the entry begins with.
func (e entry) start() *yaml.Node {
	if e.key != nil {
		return e.key
	}
	return e.value
}

// find follows a path of names down the mappings. ok is false if one is missing.
func (y *yamlText) find(path ...string) (e entry, ok bool) {
	e = entry{value: y.root, limit: y.end()}
	for _, name := range path {
		if e, ok = y.member(e, name); !ok {
			return e, false
		}
	}
	return e, true
}

// end is the line after the document's last: that of a "...", or past the text.
func (y *yamlText) end() int {
	for n := len(y.lines) - 1; n >= 1; n-- {
		if bytes.HasPrefix(y.line(n), []byte("...")) {
			return n
		}
	}
	return len(y.lines)
}

// member finds a mapping's member by name.
func (y *yamlText) member(of entry, name string) (entry, bool) {
	if of.value.Kind != yaml.MappingNode {
		return entry{}, false
	}
	for i := 0; i+1 < len(of.value.Content); i += 2 {
		if of.value.Content[i].Value == name {
			return y.at(of, i), true
		}
	}
	return entry{}, false
}

// at is the member of a mapping or sequence with an index in its Content.
func (y *yamlText) at(of entry, index int) entry {
	e := entry{parent: of.value, index: index, value: of.value.Content[index], limit: of.limit}
	next := index + 1
	if of.value.Kind == yaml.MappingNode {
		e.key, e.value = of.value.Content[index], of.value.Content[index+1]
		next++
	}
	if next < len(of.value.Content) {
		e.limit = of.value.Content[next].Line
	}
	return e
}

// line is the text of a line, counted from 1.
func (y *yamlText) line(n int) []byte { return y.text[y.lines[n-1]:y.lines[n]] }

// offset is where a node begins. The parser counts columns in characters.
func (y *yamlText) offset(n *yaml.Node) int {
	at := y.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(y.text[at:])
		at += size
	}
	return at
}

// afterLines is where the lines of an entry of a block end. Blank lines behind
// it, and comments that are not indented deeper, belong to what follows.
func (y *yamlText) afterLines(e entry) int {
	first := e.start().Line
	last := e.limit - 1
	for ; last > first; last-- {
		line := y.line(last)
		text := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(text)) > 0 && (text[0] != '#' || len(line)-len(text) >= e.start().Column) {
			break
		}
	}
	return y.lines[max(last, first)]
}

// afterValue is where a value inside a flow collection ends: before the comma or
// the bracket that closes the collection.
func (y *yamlText) afterValue(e entry) int {
	from := y.offset(e.start())
	end := y.scan(from, func(c byte, depth int) bool { return depth < 0 || depth == 0 && c == ',' })
	return from + len(bytes.TrimRight(y.text[from:end], " \t\r\n"))
}

// closing is the place behind the bracket that closes the one at an offset.
func (y *yamlText) closing(from int) int {
	return y.scan(from, func(c byte, depth int) bool { return depth == 0 && (c == '}' || c == ']') }) + 1
}

// scan looks from an offset on, past quotes and comments, for the first byte
// that is wanted, given how many brackets are open behind it.
func (y *yamlText) scan(from int, wanted func(c byte, depth int) bool) int {
	depth := 0
	for i := from; i < len(y.text); i++ {
		c := y.text[i]
		switch {
		case (c == '"' || c == '\'') && opensQuote(y.text[from:i]):
			i = closeQuote(y.text, i)
			continue
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", y.text[i-1]) >= 0:
			for i+1 < len(y.text) && y.text[i+1] != '\n' {
				i++
			}
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if wanted(c, depth) {
			return i
		}
	}
	return len(y.text) - 1
}

// opensQuote reports whether a quote after this text begins a quoted scalar,
// rather than stand inside a plain one.
func opensQuote(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r\n")
	return len(before) == 0 || strings.IndexByte("{[,:?", before[len(before)-1]) >= 0
}

// closeQuote is the place of the quote that closes the one at i.
func closeQuote(text []byte, i int) int {
	for quote := text[i]; i+1 < len(text); {
		i++
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == quote:
			return i
		}
	}
	return i
}

// flow reports whether a node is written in brackets.
func flow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }
