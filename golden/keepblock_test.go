package golden

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// keptBlock: with KeepBlock, the block that the user wrote is all that is more.
func keptBlock(t *testing.T, output []byte, documents []schema.Document, options gen.Options) {
	t.Helper()
	options.KeepBlock = true
	kept, err := gen.New(documents, options).Stream()
	if err != nil {
		t.Fatal(err)
	}
	objects := plainObjects(t, kept)
	for _, o := range objects {
		if o["kind"] == schema.Kind {
			spec := o["spec"].(map[string]any)
			if diff := cmp.Diff(plainObjects(t, documents[0].Source)[0]["spec"].(map[string]any)["externalAccess"], spec["externalAccess"]); diff != "" {
				t.Errorf("the block differs (-input +output):\n%s", diff)
			}
			delete(spec, "externalAccess")
		}
	}
	if diff := cmp.Diff(plainObjects(t, output), objects); diff != "" {
		t.Errorf("more than the block differs (-without +with):\n%s", diff)
	}
}

// plainObjects are the documents of a stream without their types.
func plainObjects(t *testing.T, stream []byte) []map[string]any {
	t.Helper()
	var objects []map[string]any
	for document := range strings.SplitSeq(string(yamledit.WithoutTabs(stream)), "\n---\n") {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		objects = append(objects, o)
	}
	return objects
}
