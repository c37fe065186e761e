package main

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestWhatNoSchemaCanSay: a form that no table knows stops the program, with its
// place, rather than be left out of what is generated.
func TestWhatNoSchemaCanSay(t *testing.T) {
	for text, want := range map[string]string{
		`#A: {a?: #B}`:             "no schema can say this",
		`#A: {a?: >3}`:             "no schema can say this",
		`#A: {a?: int | string}`:   "no schema can say this",
		`#A: {a?: [int, int]}`:     "no schema can say this",
		`#A: {a?: =~#b}`:           "no pattern",
		`#A: {a?: >=#b}`:           "no number",
		`#A: {{[string=~"a"]: 1}}`: "no schema can say this",
		`#A: {a?: int @crd(b=1)}`:  "@crd(b=1) is not known",
	} {
		_, err := moduleOf(t, text).typeOf("#A")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.cue:1:") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// TestStatusHasTheFieldsOfTheType: the CRD knows what the read-back Job writes,
// and demands what it always writes.
func TestStatusHasTheFieldsOfTheType(t *testing.T) {
	m, err := readModule(os.DirFS("../cue"))
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := m.typeOf("#ExternalEndpoint")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[reflect.Kind]string{reflect.Int: "integer", reflect.String: "string", reflect.Slice: "array"}
	type field struct {
		Name, Kind string
		Required   bool
	}
	var inCRD, inGo []field
	for _, f := range endpoint.fields {
		inCRD = append(inCRD, field{f.name, f.value.kind, f.required})
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[schema.ExternalEndpoint]()) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inGo = append(inGo, field{name, kinds[f.Type.Kind()], options != "omitempty"})
	}
	if diff := cmp.Diff(inGo, inCRD); diff != "" {
		t.Errorf("the fields differ (-Go +CUE):\n%s", diff)
	}
}
