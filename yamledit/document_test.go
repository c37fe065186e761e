package yamledit_test

import (
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/yamledit"
)

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "no content",
		"# comment\n":       "no content",
		"a: [1\n":           "did not find expected",
		"a: 1\n---\nb: 2\n": "line 2 begins a second document",
		"a: 1\n...\nb: 2\n": "did not find expected <document start>",
		"a: &x [1, *x]\n":   `anchor "x" contains itself`,
		"a: 1 # x\rb: 2\n":  "a line end other",
		"a: \"x\u0085y\"\n": "a line end other",
		"a: \"x\u2028y\"\n": "a line end other",
	} {
		if _, err := yamledit.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestEntry(t *testing.T) {
	d := parse(t, "a: [x, 'y', {}]\nb: \"\"\nc: {}\nd:\ne: []\n")
	if _, ok := d.Find("a", "b"); ok {
		t.Error("a list has a member")
	}
	if _, ok := d.Find("f"); ok {
		t.Error("found what is not there")
	}
	list := entry(t, d, "a")
	if e := list.Elements(); len(e) != 3 || e[0].Scalar() != "x" || e[1].Scalar() != "y" || e[2].Scalar() != "" {
		t.Errorf("elements %v", e)
	}
	for name, want := range map[string]struct{ list, empty bool }{
		"a": {true, false}, "b": {false, false}, "c": {false, false}, "d": {false, true}, "e": {true, true},
	} {
		if e := entry(t, d, name); e.IsList() != want.list || e.IsEmpty() != want.empty {
			t.Errorf("%s: list %v, empty %v", name, e.IsList(), e.IsEmpty())
		}
	}
}
