package gen

import (
	"bytes"
	"testing"
)

// TestAppendDocument: every document is kept from the one before it, once.
func TestAppendDocument(t *testing.T) {
	text := func(s string) part { return part{text: []byte(s)} }
	rendered := func(s string) part { return part{text: []byte(s), value: "rendered"} }
	for _, test := range []struct {
		parts []part
		want  string
	}{
		{[]part{text("a: 1\n")}, "a: 1\n"},
		{[]part{text("---\na: 1\n"), text("---\nb: 1\n")}, "---\na: 1\n---\nb: 1\n"},
		{[]part{text("a: 1"), text("b: 1\n")}, "a: 1\n---\nb: 1\n"}, // of two files
		{[]part{rendered("a: 1\n"), text("# c\nb: 1\n")}, "a: 1\n---\n# c\nb: 1\n"},
		{[]part{rendered("a: 1\n"), text("# c\n---\nb: 1\n")}, "a: 1\n# c\n---\nb: 1\n"},
		{[]part{rendered("a: 1\n"), text("%YAML 1.1\n---\nb: 1\n")}, "a: 1\n...\n%YAML 1.1\n---\nb: 1\n"},
		{[]part{text("a: 1\n...\n"), text("b: 1\n")}, "a: 1\n...\nb: 1\n"},
		{[]part{text("a: 1\n...\n"), rendered("b: 1\n")}, "a: 1\n...\n---\nb: 1\n"},
	} {
		var out bytes.Buffer
		for _, p := range test.parts {
			appendDocument(&out, p, p.text)
		}
		if out.String() != test.want {
			t.Errorf("got %q, want %q", out.String(), test.want)
		}
	}
}
