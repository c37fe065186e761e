package stream

import (
	"slices"
	"testing"
)

// TestSplit: a "---" opens a document, a "..." closes one, directives belong to
// what follows them, and nothing is lost on the way.
func TestSplit(t *testing.T) {
	for _, want := range [][]string{
		{"a: 1\n"},
		{"a: 1\n", "---\nb: 1"},
		{"# comment\n", "---\na: 1\n", "--- # two\nb: 1\n", "---\n"},
		{"a: 1\n...\n", "b: 1\n", "---\nc: 1\n"},
		{"# comment\n%YAML 1.1\n---\na: 1\n...\n", "%YAML 1.1\n---\nb: 1\n"},
		{"a: |\n  ---\n  ...\n", "--- x\n"},
		{"a: ---\n---b: 1\n"},
		{"a: 1\r\n", "---\r\nb: 1\r\n"},
		{"--- {a: 1}\n", "--- {b: 1}\n"},
	} {
		var stream string
		for _, text := range want {
			stream += text
		}
		var got []string
		line := 1
		for c := range split([]byte(stream)) {
			got = append(got, string(c.Source))
			if c.Line != line {
				t.Errorf("%q is on line %d, not %d", c.Source, line, c.Line)
			}
			for _, b := range c.Source {
				if b == '\n' {
					line++
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
