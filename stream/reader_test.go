package stream

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Parts of the inputs below.
const (
	orders = "kind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec: {shards: 1}\n\n"
	asJSON = `{"kind":"ValkeyCluster","metadata":{"name":"orders","namespace":"shop"},"spec":{"shards":1}}`
	plain  = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`
)

// read reads a file f: its documents, the names of the objects, and the problems, a
// line each, less "f:".
func read(t *testing.T, input string) (chunks, names, lines []string) {
	t.Helper()
	r := NewReader("f")
	for c, p := range r.Documents([]byte(input)) {
		chunks = append(chunks, string(c.Source))
		var o Object
		if p == nil && !c.Blank() {
			o, p = r.Parse(c)
		}
		if p != nil {
			lines = append(lines, strings.TrimPrefix(p.String(), "f:"))
		} else if name := o.Text("metadata", "name"); name != "" {
			names = append(names, name)
		}
	}
	return chunks, names, lines
}

// holds checks that an input has exactly these objects with a name, and problems
// that begin so.
func holds(t *testing.T, input string, want []string, problems ...string) {
	t.Helper()
	_, names, got := read(t, input)
	if !slices.Equal(names, want) {
		t.Errorf("%.300q: objects %v, want %v; %v", input, names, want, got)
	}
	if !slices.EqualFunc(got, problems, strings.HasPrefix) {
		t.Errorf("%.300q: got %q, want %q", input, got, problems)
	}
}

// TestDocumentOnTheLineOfItsMarker: kubectl says "invalid Yaml document separator", and
// reads nothing of such a file.
func TestDocumentOnTheLineOfItsMarker(t *testing.T) {
	holds(t, "--- "+asJSON+"\n", nil, "1:5: stands on the line of a document's marker")
	holds(t, orders+"---\t"+plain+"\n", []string{"orders"}, "5:5: stands on")
	holds(t, "--- !!map\n"+orders, nil, "1:5: stands on")
	holds(t, "\ufeff---  &a\n"+orders, nil, "1:6: stands on")
	holds(t, "kind: A\nkey: \"-----BEGIN\n-----END\"\n---\n"+orders, []string{"orders"}, "3:4: stands on")
	holds(t, "--- # the shop's\n"+orders+"---\t\n"+plain+"\n--- #\n", []string{"orders", "x"})
}

// TestWhatIsNotTextIsReportedInItsPlace: the parser tells no place of such bytes.
func TestWhatIsNotTextIsReportedInItsPlace(t *testing.T) {
	for bad, want := range map[string]string{
		"a\xffb": "byte 0xFF is no UTF-8", "a\xc3": "byte 0xC3 is no UTF-8",
		"a\x01b": "U+0001 is a control", "a\u0080": "U+0080 is a control", "a\uffff": "U+FFFF is a control",
	} {
		holds(t, plain+"\n---\n"+orders+"# \u00e9"+bad+"\n", []string{"x"}, "7:5: YAML syntax: "+want)
		holds(t, plain+"\n---\n"+orders+"\n  x: \""+bad+"\"\n", []string{"x"}, "8:8: YAML syntax: "+want)
	}
	holds(t, orders+"# \u00e9 \u00a0 \U0001F600 \ufffd\t\r\n", []string{"orders"})
}

func TestDocumentBehindAJSONDocument(t *testing.T) {
	both := []string{"x", "orders"}
	holds(t, plain+"\n"+asJSON+"\n", both)
	holds(t, plain+asJSON, both)
	holds(t, "---\n"+plain+"\n# of the shop\n\n"+asJSON+" # the end\n", both)
	holds(t, asJSON+"\n"+strings.Replace(asJSON, "orders", "carts", 1)+"\n---\n"+plain, []string{"orders", "carts", "x"})

	// What is no JSON, behind what is.
	holds(t, plain+"\n\n"+orders, []string{"x"}, "3:1: begins behind a JSON document")
	holds(t, plain+" ]", []string{"x"}, "1:63: begins behind a JSON document")
	holds(t, "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n\n"+orders, nil, "3:1: begins behind the end of a document")
	holds(t, "{kind: A}\n  {kind: B}\n", nil, "2:3: begins behind the end of a document")

	chunks, _, _ := read(t, plain+"\n# kept\n"+asJSON+"\n")
	if got := strings.Join(chunks, "|"); got != plain+"\n# kept\n|"+asJSON+"\n" {
		t.Errorf("cut into %s", got)
	}
}

func TestByteOrderMarks(t *testing.T) {
	const mark = "\ufeff"
	one := []string{"orders"}
	for _, input := range []string{
		mark + orders, mark + "---\n" + orders, "---\n" + mark + orders, mark + "---\n" + mark + orders,
		mark + "# a comment\n" + orders, "kind: A\n" + mark + "---\n" + orders, "kind: A\n---\n" + mark + orders,
		mark + asJSON, "kind: A\n---\n" + mark + asJSON, mark + "%YAML 1.1\n---\n" + orders,
	} {
		holds(t, input, one)
		if chunks, _, _ := read(t, input); strings.Contains(strings.Join(chunks, ""), mark) {
			t.Errorf("%q: left in %q", input, chunks)
		}
	}
	holds(t, "kind: A\n"+mark+"x: 1\n---\n"+orders, one, "2:1: begins with a byte order mark")
	holds(t, "# a comment\nkind: A\nmetadata: {name: a}\n"+mark+"spec: {}\n", nil, "4:1: begins with a byte order mark")
}

func TestAliasesWithoutEnd(t *testing.T) {
	holds(t, "a: &a {<<: *a}\n"+orders, nil, `1:12: YAML syntax: anchor "a" contains itself`)
	holds(t, "a: &a {b: [*a]}\n"+orders, nil, `1:12: YAML syntax: anchor "a" contains itself`)
	holds(t, "<<: &a [*a, *a, *a]\n", nil, `1:9: YAML syntax: anchor "a" contains itself`)
	// Of many merged, none costs much by itself.
	bomb := "x0: &x0 {a: 1}\n"
	for i := range 30 {
		bomb += fmt.Sprintf("x%d: &x%[1]d {<<: [*x%d, *x%[2]d, *x%[2]d]}\n", i+1, i)
	}
	holds(t, bomb+orders, nil, "1:1: YAML syntax: aliases expand to more than a million values")
	holds(t, "a: &a {b: 1}\nc: [*a, *a]\n"+orders, []string{"orders"})
}

func TestTabInTheIndentation(t *testing.T) {
	holds(t, "kind: A\nspec:\n  a:\n\tb: c\n", nil, "4:1: YAML syntax: a tab in the indentation")
	holds(t, "kind: A\nspec:\n  a: 1\n  \tb: c\n", nil, "4:3: YAML syntax: a tab in the indentation")
	holds(t, "kind: A\nx: |\n  a\n  \tb\n---\n\tb: c\n", nil, "6:1: YAML syntax: a tab in the indentation")
}
