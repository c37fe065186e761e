package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// Bounds of a document's tree.
const (
	// maxDepth bounds the nesting of a ValkeyCluster. The operator's CRD has about
	// 15 levels.
	maxDepth = 100
	// maxValues bounds the values of a ValkeyCluster, as CUE reads them all.
	maxValues = 50_000
	// maxNodes bounds the values of a document that is larger than an API server
	// takes, as only a List may be: one takes 160 bytes of memory and more.
	maxNodes = 1 << 20
)

// tree is the YAML of one object, as the parser beneath CUE's own YAML
// decoder reads it. It tells where things stand, never what they mean: values
// are CUE's.
type tree struct {
	file   string
	line   int // lines before the document
	column int // characters before it on its first line
	lines  *lineMap
	root   *yaml.Node // nil for a document without content
	within string     // path of the object in the document, such as items[3]; "" for the document
	// place makes a function that finds fields of an object later on, without
	// keeping the tree; nil if the file is all that is known of any place.
	place func(object string) func(path string) schema.Position
}

// parse reads the document of a chunk. The problem, if any, is a syntax error.
func parse(file string, c chunk) (tree, *schema.Problem) {
	t := tree{file: file, line: c.line - 1, column: c.column, lines: mapLines(c.source)}
	if len(c.source) > maxDocument && mayHold(c.source) > maxNodes {
		return t, &schema.Problem{
			Position: t.shift(1, 1),
			Message:  fmt.Sprintf("is larger than the %d KiB an API server takes, and holds more than a million values", maxDocument>>10),
		}
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(yamledit.WithoutTabs(c.source)))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		p := t.syntaxError(err, c.source)
		return t, &p
	}
	if len(document.Content) > 0 {
		t.root = document.Content[0]
	}
	if p := t.expand(); p != nil {
		return t, p
	}
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		p := t.secondDocument(err, c.source)
		return t, &p
	default:
		return t, &schema.Problem{
			Position: t.shift(second.Line, second.Column),
			Message:  "begins a second document, which some YAML readers do not see",
			Hint:     "put --- on a line of its own between them",
		}
	}
	return t, nil
}

// mayHold is how many values a YAML text holds at most, and seldom far more: each
// but the first stands behind one of these.
func mayHold(text []byte) int {
	n := 1
	for i, c := range text {
		switch c {
		case '\n', '\r', ',', '[', '{':
			n++
		case ':', '-', '?':
			if i+1 == len(text) || bytes.IndexByte([]byte(" \t\r\n"), text[i+1]) >= 0 || i > 0 && text[i-1] == '"' {
				n++
			}
		}
	}
	return n
}

// secondDocument is the parser's error about what follows a document, in its
// place.
func (t tree) secondDocument(err error, source []byte) schema.Problem {
	p := t.syntaxError(err, source)
	if !strings.HasSuffix(p.Message, "did not find expected <document start>") {
		return p
	}
	p.Column += indentation(source, p.Line-t.line)
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

// syntaxError gives the parser's error its place. Errors without a line are
// about the document. A tab in the indentation comes with the line before it, or
// that of the block it is in.
func (t tree) syntaxError(err error, source []byte) schema.Problem {
	line := 1
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
		if ofParser.MatchString(message) {
			line++
		}
	}
	p := schema.Problem{Position: t.shift(line, 1), Message: "YAML syntax: " + message}
	if at, what := notText(source); what != "" {
		return schema.Problem{Position: t.inFile(at.line, at.column), Message: "YAML syntax: " + what}
	}
	if number, column := indentingTab(source, line); number > 0 {
		p.Position = t.shift(number, column)
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

// shift is a place in the document, as the parser counts, in the file.
func (t tree) shift(line, column int) schema.Position {
	return t.inFile(t.lines.find(line, column))
}

// inFile is a place in the document in the file.
func (t tree) inFile(line, column int) schema.Position {
	if line == 1 {
		column += t.column
	}
	return schema.Position{File: t.file, Line: t.line + line, Column: column}
}

func (t tree) position(n *yaml.Node) schema.Position {
	if t.place == nil {
		return schema.Position{File: t.file}
	}
	return t.shift(n.Line, n.Column)
}

func (t tree) problem(path, message, hint string) schema.Problem {
	return schema.Problem{Position: t.locate(path), Path: path, Message: message, Hint: hint}
}

// locator finds the places of the object's fields.
func (t tree) locator() func(path string) schema.Position {
	if t.place == nil {
		return func(string) schema.Position { return schema.Position{File: t.file} }
	}
	return t.place(t.within)
}

// item is the tree of an object inside a List.
func (t tree) item(n *yaml.Node, path string) tree {
	t.root, t.within = n, path
	return t
}
