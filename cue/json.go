package rules

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"

	"github.com/valkey-expose/valkey-expose/schema"
)

// pieces cuts a chunk that begins with a JSON value behind each value: JSON needs
// no marker between two, and kubectl applies them all. Comments and blank lines
// belong to the value before them. What follows JSON and is none is a problem.
func (c chunk) pieces(file string) iter.Seq2[chunk, *schema.Problem] {
	return func(yield func(chunk, *schema.Problem) bool) {
		at := contentStart(c.source)
		if at == len(c.source) || c.source[at] != '{' && c.source[at] != '[' {
			yield(c, nil)
			return
		}
		for first := true; len(c.source) > 0; first = false {
			var value json.RawMessage
			decoder := json.NewDecoder(bytes.NewReader(c.source[at:]))
			if decoder.Decode(&value) != nil {
				if first {
					yield(c, nil) // YAML in brackets
					return
				}
				// Read as far as it can be told what it is.
				yield(c, &schema.Problem{
					Position: schema.Position{File: file, Line: c.line, Column: c.column + 1},
					Message:  "begins behind a JSON document, where it is not read",
					Hint:     "put --- between them",
				})
				return
			}
			end := at + int(decoder.InputOffset())
			next := end + contentStart(c.source[end:])
			if start := bytes.LastIndexByte(c.source[:next], '\n') + 1; start > end {
				end = start
			}
			if next == len(c.source) {
				end = next
			}
			piece := c
			piece.source = c.source[:end]
			if !yield(piece, nil) {
				return
			}
			c, at = c.from(end), next-end
		}
	}
}

// contentStart is where the first thing stands that is no marker, directive,
// comment or blank.
func contentStart(text []byte) int {
	at := 0
	for line := range bytes.Lines(text) {
		rest := line
		if marks(line, "---") {
			rest = line[len("---"):]
		}
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if len(rest) > 0 && rest[0] != '#' && line[0] != '%' && !marks(line, "...") {
			return at + len(line) - len(rest)
		}
		at += len(line)
	}
	return len(text)
}

// from is the rest of a chunk from an offset on.
func (c chunk) from(offset int) chunk {
	before := c.source[:offset]
	if lines := bytes.Count(before, []byte("\n")); lines > 0 {
		c.line += lines
		c.column = 0
		before = before[bytes.LastIndexByte(before, '\n')+1:]
	}
	c.column += utf8.RuneCount(before)
	c.source = c.source[offset:]
	return c
}
