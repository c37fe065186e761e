package stream

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
func (c Chunk) pieces(file string) iter.Seq2[Chunk, *schema.Problem] {
	return func(yield func(Chunk, *schema.Problem) bool) {
		at := contentStart(c.Source)
		if at == len(c.Source) || c.Source[at] != '{' && c.Source[at] != '[' {
			yield(c, nil)
			return
		}
		for first := true; len(c.Source) > 0; first = false {
			var value json.RawMessage
			decoder := json.NewDecoder(bytes.NewReader(c.Source[at:]))
			if decoder.Decode(&value) != nil {
				if first {
					yield(c, nil) // YAML in brackets
					return
				}
				// Read as far as it is clear what it is.
				yield(c, &schema.Problem{
					Position: c.Position(file),
					Message:  "begins behind a JSON document, where it is not read",
					Hint:     "put --- between them",
				})
				return
			}
			end := at + int(decoder.InputOffset())
			next := end + contentStart(c.Source[end:])
			if i := bytes.LastIndexByte(c.Source[end:next], '\n'); i >= 0 {
				end += i + 1
			}
			if next == len(c.Source) {
				end = next
			}
			piece := c
			piece.Source = c.Source[:end]
			if !yield(piece, nil) {
				return
			}
			c, at = c.from(end), next-end
		}
	}
}

// contentStart is where the first thing stands that is no marker, directive,
// comment or blank. It looks no further: a line may be the whole file.
func contentStart(text []byte) int {
	lineBegins := true
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case lineBegins && (marks(rest, "---") || marks(rest, "...")):
			at += len("---")
		case rest[0] == '#' || lineBegins && rest[0] == '%':
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				return len(text)
			}
			at += end
		case bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0:
			at++
		default:
			return at
		}
		lineBegins = text[at-1] == '\n'
	}
	return len(text)
}

// from is the rest of a chunk from an offset on.
func (c Chunk) from(offset int) Chunk {
	before := c.Source[:offset]
	if lines := bytes.Count(before, []byte("\n")); lines > 0 {
		c.Line += lines
		c.column = 0
		before = before[bytes.LastIndexByte(before, '\n')+1:]
	}
	c.column += utf8.RuneCount(before)
	c.Source = c.Source[offset:]
	return c
}
