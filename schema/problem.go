package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in an input file. Lines and columns count from 1, columns
// in characters; a zero Line is the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is one thing that is wrong with an input, or doubtful if Warning.
// Message, path and position stay apart until the one place that prints them.
type Problem struct {
	Position
	Path    string // of the field, "" for the document as a whole
	Message string // the rule in plain words
	Hint    string // what to do about it, "" if the rule says it
	Warning bool
}

func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Position.String())
	b.WriteString(": ")
	if p.Warning {
		b.WriteString("warning: ")
	}
	if p.Path != "" {
		b.WriteString(p.Path)
		b.WriteString(": ")
	}
	b.WriteString(p.Message)
	if p.Hint != "" {
		b.WriteString("; ")
		b.WriteString(p.Hint)
	}
	return b.String()
}

// SortProblems puts the problems of one file in source order. Problems at the
// same place are ordered by path and message, so that the order never depends
// on how they were found.
func SortProblems(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Path, b.Path),
			strings.Compare(a.Message, b.Message),
		)
	})
}

// Rejects reports whether any of the problems is more than a warning.
func Rejects(ps []Problem) bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return !p.Warning })
}
