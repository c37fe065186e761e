package stream

import (
	"bytes"

	"github.com/valkey-expose/valkey-expose/schema"
)

// unmarked is a chunk less the byte order marks that begin the document. One at
// the start of a later line moves what follows it to another column, for some
// readers; it is reported.
func (c Chunk) unmarked(file string) (Chunk, *schema.Problem) {
	if !bytes.Contains(c.Source, byteOrderMark) {
		return c, nil
	}
	var text []byte
	content := false
	number := c.Line
	for line := range bytes.Lines(c.Source) {
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
	c.Source = text
	return c, nil
}
