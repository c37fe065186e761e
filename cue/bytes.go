package rules

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/valkey-expose/valkey-expose/schema"
)

// byteOrderMark may begin a file, by the YAML specification each document.
// Behind a "---" it is what a Windows shell or a joining of files leaves.
var byteOrderMark = []byte("\uFEFF")

// withoutMark is a line less the byte order marks that it begins with.
func withoutMark(line []byte) []byte {
	for bytes.HasPrefix(line, byteOrderMark) {
		line = line[len(byteOrderMark):]
	}
	return line
}

// unmarked is a chunk less the byte order marks that begin the document. One at
// the start of a later line moves what follows it to another column, for some
// readers; it is reported.
func (c chunk) unmarked(file string) (chunk, *schema.Problem) {
	if !bytes.Contains(c.source, byteOrderMark) {
		return c, nil
	}
	var text []byte
	content := false
	number := c.line
	for line := range bytes.Lines(c.source) {
		bare := withoutMark(line)
		if content && len(bare) < len(line) {
			return c, &schema.Problem{
				Position: schema.Position{File: file, Line: number, Column: 1},
				Message:  "begins with a byte order mark (U+FEFF) in the middle of a document",
				Hint:     "take it out",
			}
		}
		text = append(text, bare...)
		if marks(bare, "---") {
			bare = bare[len("---"):]
		}
		content = content || holdsContent(bare)
		number++
	}
	c.source = text
	return c, nil
}

// lineEnd is the width of the line end, as YAML 1.1 counts them and the parser
// does, that a text begins with; 0 if with none. A line feed ends a line to
// everybody, the others (odd) do not.
func lineEnd(text []byte) (width int, odd bool) {
	switch {
	case text[0] == '\n':
		return 1, false
	case text[0] == '\r' && len(text) > 1 && text[1] == '\n':
		return 2, false
	case text[0] == '\r':
		return 1, true
	case bytes.HasPrefix(text, []byte("\u0085")):
		return 2, true
	case bytes.HasPrefix(text, []byte("\u2028")), bytes.HasPrefix(text, []byte("\u2029")):
		return 3, true
	}
	return 0, false
}

// notText finds the first bytes of a text that YAML has no characters for, of which
// the parser tells no place. What is "" if there are none.
func notText(text []byte) (at place, what string) {
	at = place{1, 1}
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRune(text[i:])
		switch {
		case r == '\n':
			at = place{at.line, 0}
			at.line++
		case r == utf8.RuneError && width == 1:
			return at, fmt.Sprintf("byte 0x%02X is no UTF-8", text[i])
		case r < ' ' && r != '\t' && r != '\r', r >= 0x7F && r < 0xA0 && r != 0x85, r == 0xFFFE, r == 0xFFFF:
			return at, fmt.Sprintf("U+%04X is a control character, which YAML takes as an escape in double quotes alone", r)
		}
		at.column++
		i += width
	}
	return at, ""
}

// place is a line and a column, both from 1.
type place struct{ line, column int }

// lineMap says where the parser's lines are in the file, if it holds line ends
// that only the parser counts.
type lineMap struct {
	starts []place // of the parser's lines
	odd    []place // of the line ends that only it counts
	names  []string
}

func mapLines(text []byte) *lineMap {
	if !bytes.ContainsAny(text, "\r\u0085\u2028\u2029") {
		return nil
	}
	at := place{1, 1}
	m := &lineMap{starts: []place{at}}
	for i := 0; i < len(text); {
		width, odd := lineEnd(text[i:])
		switch {
		case odd:
			if len(m.odd) < maxFindings {
				r, _ := utf8.DecodeRune(text[i:])
				m.odd, m.names = append(m.odd, at), append(m.names, fmt.Sprintf("U+%04X", r))
			}
			at.column++
			m.starts = append(m.starts, at)
		case width > 0:
			at = place{at.line + 1, 1}
			m.starts = append(m.starts, at)
		default:
			_, width = utf8.DecodeRune(text[i:])
			at.column++
		}
		i += width
	}
	if m.odd == nil {
		return nil
	}
	return m
}

// find is the place in the file of one that the parser gave.
func (m *lineMap) find(line, column int) (int, int) {
	if m == nil || line < 1 || line > len(m.starts) {
		return line, column
	}
	start := m.starts[line-1]
	return start.line, start.column + column - 1
}

// oddLineEnds reports the characters that end a line to one reader and not to
// another: what a comment or a key is, depends on who reads.
func (t tree) oddLineEnds() []schema.Problem {
	if t.lines == nil {
		return nil
	}
	var problems []schema.Problem
	for i, at := range t.lines.odd {
		p := schema.Problem{
			Position: t.inFile(at.line, at.column),
			Message:  fmt.Sprintf("holds %s, which ends a line to some YAML readers and not to others", t.lines.names[i]),
			Hint:     `write it as an escape in double quotes, "\u` + t.lines.names[i][2:] + `"`,
		}
		if t.lines.names[i] == "U+000D" {
			p.Message, p.Hint = "holds a carriage return without a line feed, which ends a line to some YAML readers and not to others", "end lines with a line feed"
		}
		problems = append(problems, p)
	}
	return problems
}
