package gen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestBaseNamesTheNamespace: a cluster that is not exposed is the same object
// as when it was, also where the namespace comes from the options.
func TestBaseNamesTheNamespace(t *testing.T) {
	const header = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\n"
	for metadata, want := range map[string]string{
		"metadata:\n  name: orders # mine\n":                 "metadata:\n  name: orders # mine\n  namespace: shop\n",
		"metadata: {name: orders}\n":                         `metadata: {name: orders, "namespace": "shop"}` + "\n",
		"metadata:\n  namespace: null\n  name: orders\n":     "metadata:\n  name: orders\n  namespace: shop\n",
		"metadata:\n  namespace: other\n  name: orders\n":    "metadata:\n  namespace: other\n  name: orders\n",
		"metadata: &m\n  <<: {}\n  name: orders\nspec: *m\n": "metadata: &m\n  <<: {}\n  name: orders\nspec: *m\n", // cannot be edited in place
	} {
		d := schema.Document{APIVersion: schema.APIVersion, Kind: schema.Kind, Name: "orders", Source: []byte(header + metadata)}
		if strings.Contains(metadata, "other") {
			d.Namespace = "other"
		}
		base, err := New([]schema.Document{d}, Options{Namespace: "shop"}).Base()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Header+header+want, string(TextOf(base.Files, clusterFile))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if text := string(d.Source); text != header+metadata {
			t.Error("the input was changed")
		}
	}
}
