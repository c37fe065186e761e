package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Parts of the inputs below. The block's domain and type leave nothing to warn of.
const (
	head   = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\n"
	access = "externalAccess: {enabled: true, domain: a.example, preferredEndpointType: hostname}"
	orders = head + "metadata: {name: orders, namespace: shop}\nspec: {shards: 1, " + access + "}\n"
	wrong  = head + "metadata: {name: orders, namespace: shop}\nspec: {shards: 1, externalAccess: {enabled: true, domain: 7}}\n"
	asJSON = `{"apiVersion":"valkey.io/v1alpha1","kind":"ValkeyCluster","metadata":{"name":"orders","namespace":"shop"},` +
		`"spec":{"shards":1,"externalAccess":{"enabled":true,"domain":"a.example","preferredEndpointType":"hostname"}}}`
	plain = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`
)

// said is what was said of an input, a line each, less "f:".
func said(t *testing.T, input string) (documents []schema.Document, lines []string) {
	t.Helper()
	documents, problems := newRules(t).Check("f", []byte(input))
	for _, p := range problems {
		lines = append(lines, strings.TrimPrefix(p.String(), "f:"))
	}
	return documents, lines
}

func newRules(t *testing.T) *Rules {
	t.Helper()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// holds checks that an input has exactly these clusters with external access, and
// problems that begin so.
func holds(t *testing.T, input string, clusters []string, problems ...string) {
	t.Helper()
	documents, got := said(t, input)
	var names []string
	for _, d := range documents {
		if d.Cluster != nil && d.Cluster.Exposed() {
			names = append(names, d.Cluster.Name)
		}
	}
	if fmt.Sprint(names) != fmt.Sprint(clusters) {
		t.Errorf("%.300q: clusters %v, want %v; %v", input, names, clusters, got)
	}
	if len(got) != len(problems) {
		t.Errorf("%.300q: got %q, want %q", input, got, problems)
		return
	}
	for i, want := range problems {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("%.300q: got %q, want %q", input, got[i], want)
		}
	}
}

func TestPanicIsAProblemOfItsDocument(t *testing.T) {
	input := "kind: A\n---\n" + orders + "---\nkind: B\n"
	documents, problems := new(Rules).Check("f", []byte(input))
	if len(documents) != 3 || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "f:2:1: cannot be read: ") {
		t.Errorf("%d documents, %v", len(documents), problems)
	}
}

func TestNameThroughAMergeKey(t *testing.T) {
	documents, got := said(t, head+"metadata: {<<: {name: a, namespace: shop}}\nspec: {shards: 1, "+access+"}\n")
	if d := documents[0]; d.Name != "a" || d.Namespace != "shop" || got != nil {
		t.Errorf("%s/%s, %q", d.Namespace, d.Name, got)
	}
	holds(t, "x: &x {name: a}\ny: &y {name: b, namespace: shop}\n"+head+"metadata: {<<: [*x, *y]}\nspec: {shards: 1, "+access+"}\n", []string{"a"})
	holds(t, "<<: {apiVersion: valkey.io/v1alpha1, kind: ValkeyCluster}\nmetadata: {name: a}\nspec: {shards: 1, "+access+"}\n", []string{"a"})
	holds(t, head+"metadata: {name: a}\nspec: {<<: {externalAccess: {enabled: true, domain: 7}}, shards: 1}\n", nil, "4:53: spec.externalAccess.domain: must be")
}

// TestPositionsBehindOtherDocuments: on the line of another, or behind a byte order
// mark, a field has the place where it stands in the file.
func TestPositionsBehindOtherDocuments(t *testing.T) {
	bad := strings.Replace(asJSON, `"shards":1`, `"shards":0`, 1)
	holds(t, plain+"\n"+bad, nil, "2:124: spec.shards: must be")
	holds(t, plain+" "+bad, nil, "1:187: spec.shards: must be")
	holds(t, "kind: A\n---\n\ufeff"+wrong, nil, "6:59: spec.externalAccess.domain: must be")
	holds(t, strings.Replace(orders, "shop", "\"sh\ufeffop\"", 1), nil, "3:37: metadata.namespace: must be")
}
