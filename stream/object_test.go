package stream

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// parsed is the object of a file f with one document.
func parsed(t *testing.T, text string) Object {
	t.Helper()
	r := NewReader("f")
	for c, problem := range r.Documents([]byte(text)) {
		o, p := r.Parse(c)
		if problem != nil || p != nil || len(c.Source) != len(text) {
			t.Fatalf("%q: %v, %v", text, problem, p)
		}
		return o
	}
	t.Fatalf("%q holds no document", text)
	return Object{}
}

// TestLocate: a scalar is found at its value, all else at its key, what does not
// exist at the closest parent that does.
func TestLocate(t *testing.T) {
	o := parsed(t, `# comment
a: &a
  b: 1
  "c.d": é
  c: {d: 2, e: [x, {f: y}]}
g: {<<: *a, h: 3}
i: |
  text
j:
k.l[0]: 4
`)
	for path, want := range map[string]struct{ value, key string }{
		"":           {"2:1", "2:1"},
		"a":          {"2:1", "2:1"},
		"a.b":        {"3:6", "3:3"},
		"a.b.x":      {"3:3", "3:3"},
		"a[c.d]":     {"4:10", "4:3"},
		"a.c.d":      {"4:10", "4:3"}, // the longest key
		"a.c.e[0]":   {"5:17", "5:17"},
		"a.c.e[1].f": {"5:24", "5:21"},
		"a.c.e[7]":   {"5:13", "5:13"},
		"a.x":        {"2:1", "2:1"},
		"g.b":        {"3:6", "3:3"},
		"g.h":        {"6:16", "6:13"},
		"i":          {"7:1", "7:1"},
		"j":          {"9:1", "9:1"},
		"k.l[0]":     {"10:9", "10:1"},
	} {
		if got := o.Locate(path).String(); got != "f:"+want.value {
			t.Errorf("%s is at %s, want %s", path, got, want.value)
		}
		if got := o.LocateKey(path).String(); got != "f:"+want.key {
			t.Errorf("the key of %s is at %s, want %s", path, got, want.key)
		}
	}
}

// TestPositionsLaterOn: a Document finds its fields when another one was parsed since.
func TestPositionsLaterOn(t *testing.T) {
	r := NewReader("f")
	var located []func() string
	for c := range r.Documents([]byte("kind: A\nx: 1\n---\nkind: List\nitems: [{kind: B,\nx: 2}]\n---\nkind: C\n")) {
		o, _ := r.Parse(c)
		if o.IsList() {
			objects, _ := o.Objects()
			o = objects[0]
		}
		d := o.Document(c.Source)
		located = append(located, func() string { return d.Kind + " " + d.Locate("x").String() })
	}
	var got []string
	for _, locate := range located {
		got = append(got, locate())
	}
	if want := []string{"A f:2:4", "B f:6:4", "C f:8:1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestJoinPath(t *testing.T) {
	for want, path := range map[string][]string{
		"spec.config":           {"spec", "config"},
		"spec.config[some.key]": {"spec", "config", "some.key"},
		"[a/b].c-d":             {"a/b", "c-d"},
	} {
		var got string
		for _, key := range path {
			got = JoinPath(got, key)
		}
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestObjects: those inside a List, and inside Lists in it, with their paths; each
// can be written without what another defines.
func TestObjects(t *testing.T) {
	o := parsed(t, `kind: PodList
items:
- &pod {kind: Pod, x: &x 1}
- 5
- kind: List
  items: [{kind: Secret, y: *x}, *pod]
- {kind: List, items: {}}
- {kind: Listed, items: [{kind: Pod}]}
`)
	objects, problem := o.Objects()
	if problem != nil {
		t.Fatal(problem)
	}
	var got []string
	for _, o := range objects {
		text, err := o.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s: %s", o.PathInDocument("kind"), strings.TrimSpace(string(text))))
	}
	want := []string{
		"items[0].kind: {kind: Pod, x: 1}",
		"items[1].kind: 5",
		"items[2].items[0].kind: {kind: Secret, y: 1}",
		"items[2].items[1].kind: {kind: Pod, x: 1}",
		"items[3].kind: {kind: List, items: {}}",
		"items[4].kind: {kind: Listed, items: [{kind: Pod}]}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := o.PathInDocument("kind"); got != "kind" {
		t.Errorf("of the document itself: %s", got)
	}
}
