package yamledit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// offset is where a node begins. The parser counts columns in characters.
func (d *Document) offset(n *yaml.Node) int {
	at := d.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(d.text[at:])
		at += size
	}
	return at
}

// afterLines is where the lines of an entry of a block end. Blank lines behind
// it, and comments that are not indented deeper, belong to what follows.
func (d *Document) afterLines(e Entry) int {
	first := e.start().Line
	last := e.limit - 1
	for ; last > first; last-- {
		line := d.line(last)
		text := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(text)) > 0 && (text[0] != '#' || len(line)-len(text) >= e.start().Column) {
			break
		}
	}
	return d.lines[max(last, first)]
}

// afterValue is where a value inside a flow collection ends: before the comma or
// the bracket that closes the collection.
func (d *Document) afterValue(e Entry) int {
	from := d.offset(e.start())
	end := d.scan(from, func(c byte, depth int) bool { return depth < 0 || depth == 0 && c == ',' })
	return from + len(bytes.TrimRight(d.text[from:end], " \t\r\n"))
}

// closing is the place behind the bracket that closes the one at an offset.
func (d *Document) closing(from int) int {
	return d.scan(from, func(c byte, depth int) bool { return depth == 0 && (c == '}' || c == ']') }) + 1
}

// scan looks from an offset on, past quotes and comments, for the first byte
// that is wanted, given how many brackets are open behind it.
func (d *Document) scan(from int, wanted func(c byte, depth int) bool) int {
	depth := 0
	for i := from; i < len(d.text); i++ {
		c := d.text[i]
		switch {
		case (c == '"' || c == '\'') && opensQuote(d.text[from:i]):
			i = closeQuote(d.text, i)
			continue
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", d.text[i-1]) >= 0:
			for i+1 < len(d.text) && d.text[i+1] != '\n' {
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
	return len(d.text) - 1
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
