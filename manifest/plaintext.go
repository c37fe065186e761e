package manifest

import (
	"strings"
)

// maxKey is the longest key, in bytes, that YAML has on one line with its value.
const maxKey = 128

func (w *plainWriter) key(key string) bool {
	if len(key) > maxKey || strings.Contains(key, "\n") || !w.text(key, 0) {
		return false
	}
	w.out = append(w.out, ':')
	return true
}

// text writes a string: as it is, in quotes, or as a literal, whose lines are indented.
func (w *plainWriter) text(s string, indent int) bool {
	traits, ok := examine(s)
	if !ok {
		return false
	}
	if traits.lines {
		return w.literal(s, indent)
	}
	isString, ok := resolvesToString(s)
	switch {
	case !ok:
		return false
	case !isString:
		w.quoted(s, '"')
	case traits.indicator:
		w.quoted(s, '\'')
	default:
		w.out = append(w.out, s...)
	}
	return true
}

// quoted writes a text without line breaks and backslashes in quotes. A quote within is
// written twice, which is right for a single one; those that need double quotes have none.
func (w *plainWriter) quoted(s string, quote byte) {
	w.out = append(w.out, quote)
	for i := range len(s) {
		if s[i] == quote {
			w.out = append(w.out, quote)
		}
		w.out = append(w.out, s[i])
	}
	w.out = append(w.out, quote)
}

// literal writes a text of several lines. Those that begin with a blank or a line
// break would need a hint, and those that end with several line breaks another.
func (w *plainWriter) literal(s string, indent int) bool {
	if s[0] == ' ' || s[0] == '\n' || strings.HasSuffix(s, "\n\n") {
		return false
	}
	w.out = append(w.out, '|')
	if !strings.HasSuffix(s, "\n") {
		w.out = append(w.out, '-')
	}
	w.out = append(w.out, '\n')
	for line := range strings.Lines(s) {
		if line != "\n" {
			w.newline(indent)
		}
		w.out = append(w.out, line...)
	}
	return true
}

// traits is what the bytes of a text say about the way it is written.
type traits struct {
	lines     bool // it has line breaks
	indicator bool // it needs quotes, or would be read as something else
}

// examine looks at a text; false if it has other than printable ASCII and line
// breaks, or blanks where a literal cannot have them.
func examine(s string) (traits, bool) {
	var t traits
	for i := range len(s) {
		c, last := s[i], i == len(s)-1
		switch {
		case c == '\n':
			t.lines = true
		case c < ' ' || c > '~':
			return t, false
		case c == ' ' && !last && s[i+1] == '\n':
			return t, false
		case c == ':' && (last || s[i+1] == ' '), c == '#' && i > 0 && s[i-1] == ' ':
			t.indicator = true
		}
	}
	if s == "" {
		return t, true
	}
	if s[len(s)-1] == ' ' {
		t.indicator = true
		return t, !t.lines
	}
	t.indicator = t.indicator || s[0] == ' ' || strings.IndexByte(indicators, s[0]) >= 0
	return t, true
}

// indicators begin something other than a plain text.
const indicators = "#,[]{}&*!|>'\"%@`"

// resolvesToString reports whether a text without quotes is read as a string, by
// YAML 1.1 and 1.2; ok is false if that takes a closer look.
func resolvesToString(s string) (isString, ok bool) {
	if s == "" {
		return false, true
	}
	switch c := s[0]; {
	case letter(c):
		return !reserved(s), true
	case digit(c):
		if integer(s) {
			return false, len(s) < 16 // more may be out of a number's range
		}
		// No number and no date is written with one of these.
		return true, strings.ContainsAny(s, "ghijklmnpqrsuvwyz")
	case c == '-' && len(s) > 1 && integer(s[1:]):
		return false, len(s) < 16
	case c == '-':
		// An argument of a command; "---" begins a document.
		return true, len(s) > 2 && s[1] == '-' && letter(s[2])
	}
	return true, strings.IndexByte("/_$( "+indicators, s[0]) >= 0
}

func integer(s string) bool { return strings.Trim(s, "0123456789") == "" }

// reserved reports whether a word means a boolean or null, also to YAML 1.1.
func reserved(s string) bool {
	if len(s) > len("false") {
		return false
	}
	switch s {
	case "true", "True", "TRUE", "false", "False", "FALSE", "null", "Null", "NULL",
		"y", "Y", "yes", "Yes", "YES", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return true
	}
	return false
}
