package yamledit_test

import (
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/yamledit"
)

// parse reads a text of a test.
func parse(t *testing.T, text string) *yamledit.Document {
	t.Helper()
	d, err := yamledit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// entry finds what stands at a path, in which a number is an index.
func entry(t *testing.T, d *yamledit.Document, path string) yamledit.Entry {
	t.Helper()
	e, _ := d.Find()
	for _, name := range strings.Split(path, ".") {
		if n := len(e.Elements()); n > 0 {
			e = e.Elements()[int(name[0]-'0')]
			continue
		}
		var ok bool
		if e, ok = e.Member(name); !ok {
			t.Fatalf("%s is not in %q", path, d.Text())
		}
	}
	return e
}

// edits is a table of texts before and after a change of what stands at a path.
type edits []struct{ name, path, before, after string }

func (tests edits) run(t *testing.T, change func(*yamledit.Document, yamledit.Entry) error) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := parse(t, test.before)
			if err := change(d, entry(t, d, test.path)); err != nil {
				t.Fatal(err)
			}
			if got := string(d.Text()); got != test.after {
				t.Errorf("got  %q\nwant %q", got, test.after)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	edits{
		{"first", "a", "a: 1\nb: 2\n", "b: 2\n"},
		{"last", "b", "a: 1\nb:\n  c: 2\n", "a: 1\n"},
		{"last without a line end", "b", "a: 1\nb: 2", "a: 1\n"},
		{"before the end of the document", "b", "a: 1\nb: 2\n...\n", "a: 1\n...\n"},
		{"inner", "a.b", "a:\n  b: 1\n  c: 2\n", "a:\n  c: 2\n"},
		{"its own comments", "b", "a: 1\nb:\n  # of c\n  c: 2\n  # behind c\nd: 3\n", "a: 1\nd: 3\n"},
		{"its own comments, one blank deeper", "b", "a: 1\nb: 2\n # of b\nd: 3\n", "a: 1\nd: 3\n"},
		{"not those of what follows", "b", "a: 1\nb: 2 # of b\n\n# of c\nc: 3\n", "a: 1\n\n# of c\nc: 3\n"},
		{"block scalar", "a", "a: |\n  x\n\n  # text\nb: 2\n", "b: 2\n"},
		{"element", "a.0", "a:\n- 1\n- 2\n", "a:\n- 2\n"},
		{"windows", "b", "a: 1\r\nb: 2\r\nc: 3\r\n", "a: 1\r\nc: 3\r\n"},
		{"flow, first", "a.b", "a: {b: 1, c: 2}\n", "a: {c: 2}\n"},
		{"flow, middle", "a.c", "a: {b: 1, c: 2, d: 3}\n", "a: {b: 1, d: 3}\n"},
		{"flow, last", "a.c", "a: {b: 1, c: 2}\n", "a: {b: 1}\n"},
		{"flow, last, trailing comma", "a.c", "a: {b: 1, c: 2,}\n", "a: {b: 1, }\n"},
		{"flow, only", "a.b", "a: {b: 1}\n", "a: {}\n"},
		{"flow, brackets and commas in quotes", "a.b", `a: {b: "},]", c: 'it''s, }', d: 3}` + "\n", `a: {c: 'it''s, }', d: 3}` + "\n"},
		{"flow, escaped quote", "a.b", `a: {b: "\",", c: 2}` + "\n", "a: {c: 2}\n"},
		{"flow, quote inside a plain scalar", "a.b", "a: {b: it's, c: don't}\n", "a: {c: don't}\n"},
		{"flow, comment", "a.b", "a: {b: 1, # }, one\n  c: 2}\n", "a: {# }, one\n  c: 2}\n"},
		{"flow, nested", "a.b", "a: {b: {x: [1, 2]}, c: 2}\n", "a: {c: 2}\n"},
		{"behind letters of several bytes", "a.b", "a: {ü: é, b: 1, c: 2}\n", "a: {ü: é, c: 2}\n"},
		{"JSON with tabs", "b", "{\n\t\"a\": 1,\n\t\"b\": {\"c\": \"\\t\"}\n}\n", "{\n\t\"a\": 1\n}\n"},
	}.run(t, func(d *yamledit.Document, e yamledit.Entry) error { return d.Remove(e) })
}

func TestInsertBefore(t *testing.T) {
	edits{
		{"first", "a", "a: 1\n", "k:\n- x: z\na: 1\n"},
		{"below a comment", "b", "a: 1\n# of b\nb: 2\n", "a: 1\n# of b\nk:\n- x: z\nb: 2\n"},
		{"indented", "a.b", "a:\n    b: 1\n", "a:\n    k:\n    - x: z\n    b: 1\n"},
		{"windows", "a", "a: 1\r\n", "k:\r\n- x: z\r\na: 1\r\n"},
		{"flow", "a.b", "a: {b: 1}\n", "a: {\"k\": [{\"x\":\"z\"}], b: 1}\n"},
	}.run(t, func(d *yamledit.Document, e yamledit.Entry) error {
		return d.InsertBefore(e, "k", []any{map[string]any{"x": "z"}})
	})
}

func TestInsertAfter(t *testing.T) {
	edits{
		{"last", "a", "a: 1\n", "a: 1\nk: yes it is\n"},
		{"without a line end", "a", "a: 1", "a: 1\nk: yes it is"},
		{"behind its lines", "a", "a:\n  b: 1\n\n# of c\nc: 2\n", "a:\n  b: 1\nk: yes it is\n\n# of c\nc: 2\n"},
		{"flow", "a.b", "a: {b: 1 , c: 2}\n", "a: {b: 1, \"k\": \"yes it is\" , c: 2}\n"},
	}.run(t, func(d *yamledit.Document, e yamledit.Entry) error { return d.InsertAfter(e, "k", "yes it is") })
}

func TestInsertElement(t *testing.T) {
	edits{
		{"block", "a.0", "a:\n- x: 1\n  y: 2\nb: 3\n", "a:\n- x: 1\n  y: 2\n- z: \"3\"\nb: 3\n"},
		{"indented block", "a.0", "a:\n  -   x: 1\n", "a:\n  -   x: 1\n  - z: \"3\"\n"},
		{"flow", "a.1", "a: [1, 2]\n", "a: [1, 2, {\"z\":\"3\"}]\n"},
	}.run(t, func(d *yamledit.Document, e yamledit.Entry) error {
		return d.InsertAfter(e, "", map[string]string{"z": "3"})
	})
}

func TestFill(t *testing.T) {
	edits{
		{"nothing behind the colon", "a.b", "a:\n  b: # of b\n  c: 1\n", "a:\n  b: # of b\n  - x\n  c: 1\n"},
		{"null", "a", "a: null # of a\n", "a: [\"x\"] # of a\n"},
		{"tilde", "a", "a: ~\n", "a: [\"x\"]\n"},
		{"empty list", "a", "a: [ # none\n]\nb: 1\n", "a: [\"x\"]\nb: 1\n"},
	}.run(t, func(d *yamledit.Document, e yamledit.Entry) error {
		if !e.IsEmpty() {
			t.Errorf("%q: not empty", d.Text())
		}
		return d.Fill(e, []string{"x"})
	})
}

// TestEditsThatFail leave the document as it was.
func TestEditsThatFail(t *testing.T) {
	const text = "a: &x\n  b: 1\nc: *x\n"
	d := parse(t, text)
	if err := d.Remove(entry(t, d, "a")); err == nil {
		t.Error("an anchor that is used was taken out")
	}
	if err := d.InsertAfter(entry(t, d, "a.b"), "", "element"); err == nil {
		t.Error("an element was put into a mapping")
	}
	if string(d.Text()) != text {
		t.Errorf("the text became %q", d.Text())
	}
}
