package stream

import (
	"bytes"
	"iter"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Chunk is the text of one document of a stream, with the lines that belong to it.
type Chunk struct {
	Source []byte
	Line   int // of its first line in the file, from 1
	column int // characters before it on that line
}

// Position is where the chunk begins.
func (c Chunk) Position(file string) schema.Position {
	return schema.Position{File: file, Line: c.Line, Column: c.column + 1}
}

// split cuts a YAML stream at its document markers. The chunks, joined, are the
// stream byte for byte.
//
// A marker is only one at the start of a line, and YAML allows no scalar to
// contain such a line, so that no parser is needed here. A "---" opens a chunk,
// a "..." closes one. Directives belong to the document that follows them, a
// byte order mark to the line that it begins.
func split(stream []byte) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		start, startLine := 0, 1
		directives := false // the chunk holds nothing but directives, comments and blank lines so far
		content := false    // the chunk holds more than comments and blank lines
		cut := func(end, line int) bool {
			c := Chunk{Source: stream[start:end], Line: startLine}
			start, startLine, directives, content = end, line, false, false
			return len(c.Source) == 0 || yield(c)
		}
		line := 1
		for at := 0; at < len(stream); line++ {
			end := len(stream)
			if i := bytes.IndexByte(stream[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
			text := withoutMark(stream[at:end])
			switch {
			case marks(text, "---"):
				if !directives && !cut(at, line) {
					return
				}
				directives = false
			case marks(text, "..."):
				if !cut(end, line+1) {
					return
				}
			case len(text) > 0 && text[0] == '%' && !content:
				directives = true
			}
			content = content || end > start && holdsContent(text)
			at = end
		}
		cut(len(stream), line)
	}
}

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

// marks reports whether a line begins with a document marker.
func marks(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// behindMarker finds what stands on the line of a "---". YAML lets a document begin
// there; kubectl and kustomize take a comment alone, and read nothing of such a file.
// To them any line that begins so is a marker, also inside a quoted text.
func (c Chunk) behindMarker(file string) *schema.Problem {
	number := c.Line
	for line := range bytes.Lines(c.Source) {
		rest, ok := bytes.CutPrefix(line, []byte("---"))
		if text := bytes.TrimSpace(rest); ok && len(text) > 0 && text[0] != '#' {
			return &schema.Problem{
				Position: schema.Position{File: file, Line: number, Column: len("---") + bytes.Index(rest, text) + 1},
				Message:  "stands on the line of a document's marker, where kubectl takes a comment alone",
				Hint:     "put it on the next line",
			}
		}
		number++
	}
	return nil
}

// holdsContent reports whether there is anything but comments and blank lines.
func holdsContent(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(withoutMark(line))
		if len(line) > 0 && line[0] != '#' {
			return true
		}
	}
	return false
}

// Blank reports whether a chunk holds nothing but markers, comments and blank
// lines, so that no parser need look at it.
func (c Chunk) Blank() bool {
	text := withoutMark(c.Source)
	for _, marker := range []string{"---", "..."} {
		if marks(text, marker) {
			text = text[len(marker):]
		}
	}
	return !holdsContent(text)
}
