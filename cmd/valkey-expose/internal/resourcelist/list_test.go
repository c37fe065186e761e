package resourcelist

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// TestParseRefuses what is not one ResourceList, and says so on one line.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "standard input is not a ResourceList",
		"- a":                         "standard input is not a ResourceList",
		"kind: ResourceList":          "standard input is not a ResourceList of config.kubernetes.io",
		"apiVersion: v1\nkind: List":  "standard input is not a ResourceList of config.kubernetes.io",
		head + "items: 1":             "items of the ResourceList are not a list",
		head + "---\n" + head:         "standard input holds more than one ResourceList",
		"kind: [":                     "reading the ResourceList: ",
		head + "items: [&a {b: *a}]":  "reading the ResourceList: ",
		head + "items: []\nkind: {}:": "reading the ResourceList: ",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestWriteKeepsWhatItDoesNotTouch: other fields stay in their places, with their
// comments; results of an earlier function go, and items are written whole however
// many there are.
func TestWriteKeepsWhatItDoesNotTouch(t *testing.T) {
	var items, more strings.Builder
	for i := range 2*batch + 1 {
		fmt.Fprintf(&items, "- kind: A # %d\n", i)
	}
	more.WriteString("functionConfig:\n  data:\n    strict: \"true\"\n")
	list, err := Parse([]byte(head + "results:\n- message: old\nitems:\n" + items.String() + more.String()))
	if err != nil {
		t.Fatal(err)
	}
	if config, err := list.Config(); err != nil || config["strict"] != "true" {
		t.Errorf("the configuration: %v %v", config, err)
	}
	got, err := list.Write([]Result{{Message: "new", Severity: "warning"}})
	if err != nil {
		t.Fatal(err)
	}
	want := head + "items:\n" + items.String() + more.String() + "results:\n- message: new\n  severity: warning\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestResultOf: a result names the object, its file and the field, as far as they
// are known.
func TestResultOf(t *testing.T) {
	var item yaml.Node
	if err := yaml.Unmarshal([]byte("kind: A\nmetadata: {name: b, annotations: {config.kubernetes.io/path: c.yaml, config.kubernetes.io/index: '2'}}\n"), &item); err != nil {
		t.Fatal(err)
	}
	r := ResultOf(schema.Problem{Path: "spec.d", Message: "is wrong", Hint: "mend it"}, item.Content[0])
	if r.File == nil || *r.File != (fileRef{"c.yaml", 2}) {
		t.Errorf("the file: %v", r.File)
	}
	if got := r.Line("items[0]"); got != "error: items[0]: A b: spec.d: is wrong; mend it" {
		t.Error(got)
	}
	if got := ResultOf(schema.Problem{Message: "is wrong", Warning: true}, nil).Line("items[0]"); got != "warning: items[0]: is wrong" {
		t.Error(got)
	}
}
