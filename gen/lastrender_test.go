package gen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestReadRendering: what was rendered is read back as it was.
func TestReadRendering(t *testing.T) {
	for _, inject := range []string{InjectAdmission, InjectNone} {
		documents := []schema.Document{{
			APIVersion: schema.APIVersion, Kind: schema.Kind, Name: "orders",
			Source: []byte("kind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec:\n  shards: 12\n  externalAccess: {enabled: true}\n"),
			Cluster: &schema.Cluster{
				Name: "orders", Namespace: "shop", Shards: 12,
				ExternalAccess: &schema.ExternalAccess{Enabled: true, Domain: "example.com"},
			},
		}}
		o := Defaults()
		o.Inject, o.ReadbackImage = inject, "i"
		files, err := Directory(documents, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadRendering(files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(NewRendering(documents, o), got); diff != "" || got.Plan == nil {
			t.Errorf("%s: -rendered +read:\n%s", inject, diff)
		}
	}
}

// TestReadRenderingOfNothing: a directory that exposes nothing has no Plan.
func TestReadRenderingOfNothing(t *testing.T) {
	for _, files := range [][]File{nil, {{clusterFile, []byte(Header)}, {KustomizationFile, []byte(Header)}}} {
		if got, err := ReadRendering(files); err != nil || got != (Rendering{}) {
			t.Errorf("%v: %v %v", files, got, err)
		}
	}
}

// TestReadRenderingRefuses: a file in which no Plan can be read is an error, not
// an empty directory.
func TestReadRenderingRefuses(t *testing.T) {
	plan := func(text string) string { return "kind: ConfigMap\ndata:\n  plan.json: '" + text + "'\n" }
	for name, test := range map[string]struct{ text, want string }{
		"no object":      {"", "there is no Plan in it"},
		"other objects":  {"kind: Role\n---\nkind: ConfigMap\ndata: {a: b}\n", "there is no Plan in it"},
		"another kind":   {"kind: Secret\ndata: {plan.json: '{}'}\n", "there is no Plan in it"},
		"a conflict":     {"<<<<<<< ours\nkind: ConfigMap\n=======\n", "yaml: "},
		"no JSON":        {plan("{"), "reading the Plan: unexpected end"},
		"no version":     {plan("{}"), "of version 0, and this program reads version 1"},
		"a newer one":    {plan(`{"version": 2, "nodes": {}}`), "of version 2, and this program reads version 1"},
		"another type":   {plan(`{"version": 1, "nodes": {}}`), "reading the Plan: json: cannot unmarshal"},
		"no cluster":     {plan(`{"version": 1, "namespace": "a", "nodes": [{}]}`), "names no cluster"},
		"no namespace":   {plan(`{"version": 1, "cluster": "a", "nodes": [{}]}`), "names no cluster"},
		"without a node": {plan(`{"version": 1, "cluster": "a", "namespace": "a"}`), "names no cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadRendering([]File{{readbackFile, []byte(Header + test.text)}})
			if err == nil || !strings.HasPrefix(err.Error(), "readback.yaml: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
