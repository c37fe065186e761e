// Package report prints what a run has to say beside its output: problems of the
// input, errors, hints and notes, each on a line of its own on standard error.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Program begins every line that is about the run rather than about a place in
// the input.
const Program = "valkey-expose"

// Error says what is wrong.
func Error(w io.Writer, format string, args ...any) { line(w, "error", format, args) }

// Hint says what to do about it.
func Hint(w io.Writer, format string, args ...any) { line(w, "hint", format, args) }

// Note says what a run that goes on does or has done.
func Note(w io.Writer, format string, args ...any) { line(w, "note", format, args) }

func line(w io.Writer, severity, format string, args []any) {
	fmt.Fprintf(w, "%s: %s: %s\n", Program, severity, fmt.Sprintf(format, args...))
}

// Printable keeps a line one line, of a length that can be read, without what
// would steer a terminal: keys of the input stand in it.
func Printable(line string) string {
	const longest = 1000
	line = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, line)
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	return line
}
