package rules

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestGenerated holds the files of ../schema that are generated from the module
// to it. UPDATE=1 writes them anew.
func TestGenerated(t *testing.T) {
	for file, generate := range map[string]func() ([]byte, error){
		"../schema/crd-patch.yaml":             CRDPatch,
		"../schema/externalaccess.schema.json": JSONSchema,
	} {
		want, err := generate()
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(have), string(want)); diff != "" {
			t.Errorf("%s is out of date (UPDATE=1 writes it; -have +want):\n%s", file, diff)
		}
	}
}

// TestRulesCannotDoWithoutCEL: nothing is generated from a rule that has neither
// its CEL nor a reason beside it, or whose CEL cannot be put together.
func TestRulesCannotDoWithoutCEL(t *testing.T) {
	for name, test := range map[string]struct{ rule, want string }{
		"nothing beside it":   {`if a {"spec.a": error("no")}`, "neither @cel nor @nocel"},
		"no reason":           {`if a {@nocel(), "spec.a": error("no")}`, "no reason in quotes"},
		"CEL twice":           {`if a {@cel(a), @cel(b), "spec.a": error("no")}`, "one @cel, not 2"},
		"a name without CEL":  {`if a {@cel(_view.a), "spec.a": error("no")}`, "_view.a has no CEL"},
		"a text that is none": {`if a {@cel(x.matches(#unknownText)), "spec.a": error("no")}`, "#unknownText has no CEL"},
		"no condition":        {`"spec.a": error("no")`, "a condition and an error"},
		"no error":            {`if a {@cel(a), "spec.a": 1}`, "ends in error(...)"},
		"two fields":          {`if a {@cel(a), "spec.a": error("no"), "spec.b": error("no")}`, "has one field, not 2"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := parser.ParseFile("", "#ValkeyCluster: {_problem: {"+test.rule+"}}\n#View: {_view: {b: 1 @cel(spec.b)}}")
			if err != nil {
				t.Fatal(err)
			}
			_, err = sourceOf([]*ast.File{file}).celRules()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestStatusHasTheFieldsOfTheType: the CRD knows what the read-back Job writes,
// and demands what it always writes.
func TestStatusHasTheFieldsOfTheType(t *testing.T) {
	s, err := newSource()
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.node("#ExternalEndpoint")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[reflect.Kind]string{reflect.Int: "integer", reflect.String: "string", reflect.Slice: "array"}
	type field struct {
		Name, Kind string
		Required   bool
	}
	var inCRD, inGo []field
	for _, f := range n.fields {
		inCRD = append(inCRD, field{f.name, f.node.kind, f.required})
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[schema.ExternalEndpoint]()) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inGo = append(inGo, field{name, kinds[f.Type.Kind()], options != "omitempty"})
	}
	if diff := cmp.Diff(inGo, inCRD); diff != "" {
		t.Errorf("the fields differ (-Go +CUE):\n%s", diff)
	}
}
