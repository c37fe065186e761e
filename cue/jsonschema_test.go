package rules

import (
	"os"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/encoding/jsonschema"
)

// TestJSONSchemaAgrees holds every file of the corpus against the schema for
// editors: it refuses what breaks a rule about one field of the block, and takes
// all else, which it does not describe.
func TestJSONSchemaAgrees(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../schema/externalaccess.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	extracted, err := jsonschema.Extract(r.context.CompileBytes(text), &jsonschema.Config{})
	if err != nil {
		t.Fatal(err)
	}
	schema := r.context.BuildFile(extracted)
	if err := schema.Err(); err != nil {
		t.Fatal(err)
	}
	verdicts := map[bool]int{}
	for _, file := range slices.Concat(files(t, "testdata/accept/*"), files(t, "testdata/warn/*"), files(t, "testdata/reject/*")) {
		t.Run(strings.TrimPrefix(file, "testdata/"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data, err := extract(source)
			if err != nil {
				t.Fatal(err)
			}
			err = schema.Unify(r.context.BuildExpr(data)).Validate(cue.Concrete(true))
			want := !breaksFieldRule(r, data)
			if (err == nil) != want {
				t.Errorf("accepted %v: %v", err == nil, err)
			}
			verdicts[want]++
		})
	}
	if verdicts[true] < 40 || verdicts[false] < 40 {
		t.Errorf("%d accepted, %d refused", verdicts[true], verdicts[false])
	}
}

// breaksFieldRule reports whether a document breaks a rule about one field of
// the block, or has something else in the block's place.
func breaksFieldRule(r *Rules, data *ast.StructLit) bool {
	return slices.ContainsFunc(r.evaluate(data, "#Shape", "#ValkeyCluster"), func(f finding) bool {
		return f.at() == "spec.externalAccess" || !f.rule && strings.HasPrefix(f.at(), "spec.externalAccess.")
	})
}
