package stream

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

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

// lineColumn is a line and a column, both from 1.
type lineColumn struct{ line, column int }

// lineMap says where the parser's lines are in the file, if it holds line ends
// that only the parser counts.
type lineMap struct {
	starts []lineColumn // of the parser's lines
	odd    []lineColumn // of the line ends that only it counts
	names  []string
}

// maxOdd is how many line ends are reported: as many as a person reads.
const maxOdd = 100

// mapLines is nil for a text whose lines are the same to the parser and to everybody.
func mapLines(text []byte) *lineMap {
	if !bytes.ContainsAny(text, "\r\u0085\u2028\u2029") {
		return nil
	}
	at := lineColumn{1, 1}
	m := &lineMap{starts: []lineColumn{at}}
	for i := 0; i < len(text); {
		width, odd := lineEnd(text[i:])
		switch {
		case odd:
			if len(m.odd) < maxOdd {
				r, _ := utf8.DecodeRune(text[i:])
				m.odd, m.names = append(m.odd, at), append(m.names, fmt.Sprintf("U+%04X", r))
			}
			at.column++
			m.starts = append(m.starts, at)
		case width > 0:
			at = lineColumn{at.line + 1, 1}
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
