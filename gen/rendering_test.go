package gen

import (
	"bytes"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestEverythingIsRenderedOnce: the checks, the outputs and the parts of a run share
// what was worked out.
func TestEverythingIsRenderedOnce(t *testing.T) {
	documents := twoClusters()
	o := Defaults()
	o.ReadbackImage = "i"
	r := New(documents, o)
	rendered, policy := 0, r.way.Objects
	r.way.Objects = func(x *plan.Exposed) []any {
		rendered++
		return policy(x)
	}
	if problems := r.Check(); len(problems) > 0 {
		t.Fatal(problems)
	}
	whole, err := r.Stream()
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.Part(0, 1).Stream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.List(); err != nil {
		t.Fatal(err)
	}
	if rendered != len(documents) {
		t.Errorf("%d clusters were rendered %d times", len(documents), rendered)
	}
	if !bytes.HasPrefix(whole, first) || len(first) == 0 {
		t.Error("the first document alone is rendered otherwise")
	}
}

// TestWhatIsNoObjectIsAProblem: a way to inject that renders something else is told,
// with its file, of the cluster it was rendered for.
func TestWhatIsNoObjectIsAProblem(t *testing.T) {
	r := New(twoClusters(), Defaults())
	r.way.Objects = func(*plan.Exposed) []any { return []any{"text"} }
	var told []string
	for _, p := range r.Check() {
		told = append(told, p.String())
	}
	if want := "spec.externalAccess: is rendered to string in policy.yaml, which is no Kubernetes object"; len(told) != 2 || !strings.Contains(told[0], want) || !strings.Contains(told[1], want) {
		t.Errorf("%q", told)
	}
}

func twoClusters() []schema.Document {
	var documents []schema.Document
	for _, name := range []string{"orders", "carts"} {
		documents = append(documents, schema.Document{
			APIVersion: schema.APIVersion, Kind: schema.Kind, Name: name, Namespace: "shop",
			Source:  []byte("kind: ValkeyCluster\nmetadata: {name: " + name + ", namespace: shop}\nspec:\n  externalAccess: {enabled: true}\n"),
			Cluster: &schema.Cluster{Name: name, Namespace: "shop", Shards: 2, ExternalAccess: &schema.ExternalAccess{Enabled: true}},
			Locate:  func(string) schema.Position { return schema.Position{} },
		})
	}
	return documents
}

// TestNoNamespaceIsNoOutput: a document can be checked without a namespace, with
// another one in its place, which must never be written.
func TestNoNamespaceIsNoOutput(t *testing.T) {
	r := New([]schema.Document{{
		APIVersion: schema.APIVersion, Kind: schema.Kind, Name: "orders",
		Source:  []byte("kind: ValkeyCluster\nmetadata: {name: orders}\nspec:\n  externalAccess: {enabled: true}\n"),
		Cluster: &schema.Cluster{Name: "orders", Shards: 1, ExternalAccess: &schema.ExternalAccess{Enabled: true}},
		Locate:  func(string) schema.Position { return schema.Position{File: "f", Line: 2} },
	}}, Defaults())
	if problems := r.Check(); len(problems) > 0 {
		t.Errorf("without a namespace: %v", problems)
	}
	if out, err := r.Stream(); err == nil {
		t.Errorf("rendered:\n%s", out)
	}
}
