package yamledit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/yamledit"
)

// TestWithoutTabs: those of JSON alone, as in YAML one may be part of a text.
func TestWithoutTabs(t *testing.T) {
	for text, want := range map[string]string{
		"\t{\n\t\t\"a\": 1}\n": " {\n  \"a\": 1}\n",
		"a: |\n  x\ty\n":       "a: |\n  x\ty\n",
	} {
		if got := string(yamledit.WithoutTabs([]byte(text))); got != want {
			t.Errorf("%q became %q", text, got)
		}
		parse(t, text)
	}
}

func TestValue(t *testing.T) {
	type m = map[string]any
	for text, want := range map[string]any{
		"a: x # comment\n":                                  m{"a": "x"},
		"a: 'x'\n":                                          m{"a": "x"},
		"{\n\t\"a\": \"x\"\n}\n":                            m{"a": "x"},
		"a: [1, 0x1, \"1\", ~, true, !t z]\n":               m{"a": []any{yamledit.Scalar{"!!int", "1"}, yamledit.Scalar{"!!int", "0x1"}, "1", nil, yamledit.Scalar{"!!bool", "true"}, yamledit.Scalar{"!t", "z"}}},
		"a: &x {b: c}\nd: *x\n*x : e\n":                     m{"a": m{"b": "c"}, "d": m{"b": "c"}, "": "e"},
		"a: &x k\n*x : e\n":                                 m{"a": "k", "k": "e"},
		"a: &x {b: c, d: e}\nf:\n  <<: *x\n  b: own\n":      m{"a": m{"b": "c", "d": "e"}, "f": m{"b": "own", "d": "e"}},
		"a: {<<: [{b: first, c: d}, {b: second, e: f}]}\n":  m{"a": m{"b": "first", "c": "d", "e": "f"}},
		"a: &x {b: {c: d}}\ne: {<<: *x}\nf: {<<: [*x, *x]}": m{"a": m{"b": m{"c": "d"}}, "e": m{"b": m{"c": "d"}}, "f": m{"b": m{"c": "d"}}},
	} {
		if diff := cmp.Diff(want, parse(t, text).Value()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestIsMergeKey holds each spelling of a key to what yaml.v3 makes of it.
func TestIsMergeKey(t *testing.T) {
	for key, want := range map[string]bool{
		"<<": true, "! <<": true, "!!merge <<": true, "!!merge '<<'": true,
		"'<<'": false, `"<<"`: false, "!!str <<": false, "!!merge m": false, "&k <<": true, "[<<]": false, "<": false,
	} {
		text := []byte(key + ": {merged: 1}\n")
		var document yaml.Node
		if err := yaml.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		var value map[any]any
		if err := yaml.Unmarshal(text, &value); err == nil {
			if _, merged := value["merged"]; merged != want {
				t.Errorf("%s: yaml.v3 makes of it %v", key, value)
			}
		}
		if got := yamledit.IsMergeKey(document.Content[0].Content[0]); got != want {
			t.Errorf("%s: got %v", key, got)
		}
	}
}

// TestValueSharesNothing: a change to one place does not show where an alias or a
// merge key says the same.
func TestValueSharesNothing(t *testing.T) {
	d := parse(t, "a: &x {b: {c: d}}\ne: *x\nf: {<<: *x}\n")
	value := d.Value().(map[string]any)
	value["a"].(map[string]any)["b"].(map[string]any)["c"] = "changed"
	for _, name := range []string{"e", "f"} {
		if got := value[name].(map[string]any)["b"].(map[string]any)["c"]; got != "d" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"a: 1", "{\"a\": 1}", true},
		{"a: 1\nb: 2", "b: 2\na: 1", true},
		{"a: x", "a: 'x'", true},
		{"a: 1", "a: '1'", false},
		{"a: 1", "a: 2", false},
		{"a: 1", "b: 1", false},
		{"a: 1", "a: 1\nb: 2", false},
		{"a: [1, 2]", "a: [2, 1]", false},
		{"a: [1]", "a: 1", false},
		{"a: {b: 1}", "a: [1]", false},
		{"a: {}", "a:", true},
		{"a: ~", "a: {}", true},
		{"a: []", "a:", false},
		{"a: ''", "a:", false},
		{"a: {b: 1}", "a:", false},
	} {
		a, b := parse(t, test.a).Value(), parse(t, test.b).Value()
		if got := yamledit.Equal(a, b); got != test.want {
			t.Errorf("%q and %q: %v", test.a, test.b, got)
		}
		if got := yamledit.Equal(b, a); got != test.want {
			t.Errorf("%q and %q: %v", test.b, test.a, got)
		}
	}
}
