package stream

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/valkey-expose/valkey-expose/schema"
)

// secondDocument is the parser's error about what follows a document, in its
// place.
func (o Object) secondDocument(err error, source []byte) schema.Problem {
	p := o.SyntaxError(err, source)
	if !strings.HasSuffix(p.Message, "did not find expected <document start>") {
		return p
	}
	p.Column += indentation(source, p.Line-o.line)
	p.Message = "begins behind the end of a document, where it is not read"
	p.Hint = "put --- between them"
	return p
}

// indentation counts the blanks that a line begins with.
func indentation(source []byte, number int) int {
	for line := range bytes.Lines(source) {
		if number--; number == 0 {
			return len(line) - len(bytes.TrimLeft(line, " \t"))
		}
	}
	return 0
}

// yamlLine is the line that an error of the parser, or of CUE's decoder with the
// file's name left out, begins with.
var yamlLine = regexp.MustCompile(`^(?:line |:)(\d+): `)

// ofParser matches the errors of the parser proper, whose lines count from 0; those
// of the scanner count from 1.
var ofParser = regexp.MustCompile("^did not find expected (<|node content|'-' indicator|key|',' or)")

// SyntaxError gives the parser's error its place. Errors without a line are
// about the document. A tab in the indentation comes with the line before it, or
// that of the block it is in.
func (o Object) SyntaxError(err error, source []byte) schema.Problem {
	line := 1
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
		if ofParser.MatchString(message) {
			line++
		}
	}
	p := schema.Problem{Position: o.shift(line, 1), Message: "YAML syntax: " + message}
	if at, what := notText(source); what != "" {
		return schema.Problem{Position: o.inFile(at.line, at.column), Message: "YAML syntax: " + what}
	}
	if number, column := indentingTab(source, line); number > 0 {
		p.Position = o.shift(number, column)
		p.Message = "YAML syntax: a tab in the indentation"
		p.Hint = "YAML takes blanks alone there"
	}
	return p
}

// indentingTab finds the first tab in the indentation of a line that is not
// blank, from a line on; 0, 0 if there is none.
func indentingTab(source []byte, from int) (line, column int) {
	for text := range bytes.Lines(source) {
		line++
		rest := bytes.TrimLeft(text, " ")
		if line >= from && len(rest) > 0 && rest[0] == '\t' && len(bytes.TrimSpace(rest)) > 0 {
			return line, len(text) - len(rest) + 1
		}
	}
	return 0, 0
}

// notText finds the first bytes of a text that YAML has no characters for, of which
// the parser tells no place. What is "" if there are none.
func notText(text []byte) (at lineColumn, what string) {
	at = lineColumn{1, 1}
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRune(text[i:])
		switch {
		case r == '\n':
			at = lineColumn{at.line, 0}
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

// Shorten keeps a text of the input short enough for a message.
func Shorten(text string) string {
	const longest = 40
	if len(text) > longest {
		return text[:longest] + "…"
	}
	return text
}

// OddLineEnds reports the characters that end a line to one reader and not to
// another: what a comment or a key is, depends on who reads.
func (o Object) OddLineEnds() []schema.Problem {
	if o.lines == nil {
		return nil
	}
	var problems []schema.Problem
	for i, at := range o.lines.odd {
		p := schema.Problem{
			Position: o.inFile(at.line, at.column),
			Message:  fmt.Sprintf("holds %s, which ends a line to some YAML readers and not to others", o.lines.names[i]),
			Hint:     `write it as an escape in double quotes, "\u` + o.lines.names[i][2:] + `"`,
		}
		if o.lines.names[i] == "U+000D" {
			p.Message, p.Hint = "holds a carriage return without a line feed, which ends a line to some YAML readers and not to others", "end lines with a line feed"
		}
		problems = append(problems, p)
	}
	return problems
}
