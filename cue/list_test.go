package rules

import (
	"strings"
	"testing"
)

func TestClustersInLists(t *testing.T) {
	item := "- " + strings.ReplaceAll(strings.TrimSuffix(orders, "\n"), "\n", "\n  ") + "\n"
	other := "- {apiVersion: v1, kind: ConfigMap, metadata: {name: x}} # kept\n"
	list := "apiVersion: v1\nkind: List\nitems:\n"
	inner := "- apiVersion: v1\n  kind: List\n  items:\n  " + strings.ReplaceAll(strings.TrimSuffix(item, "\n"), "\n", "\n  ") + "\n"
	for _, input := range []string{
		list + item, list + other + item, list + other + inner, strings.Replace(list, "List", "ValkeyClusterList", 1) + item,
		list + "- &o\n  kind: a\n" + strings.Replace(item, "orders", "orders, x: *o", 1),
		`{"kind":"List","apiVersion":"v1","items":[` + plain + "," + asJSON + `]}`,
	} {
		holds(t, input, []string{"orders"})
	}
	documents, _ := said(t, list+other+inner)
	if len(documents) != 2 || string(documents[0].Source) != "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}} # kept\n" ||
		string(documents[1].Source) != orders || documents[1].Within != "items[1].items[0]" {
		t.Errorf("got %+v", documents)
	}
	bad := strings.Replace(inner, "shards: 1", "shards: 0", 1)
	holds(t, list+other+bad, nil, "11:20: items[1].items[0].spec.shards: must be")

	// Each object becomes a document, and that must be one.
	for _, what := range []string{"{iknd: List}", "text", "~", "[]", "{}"} {
		holds(t, list+item+"- "+what+"\n", []string{"orders"}, "8:3: items[1]: is no Kubernetes object: it has no kind")
		if _, got := said(t, list+other+"- "+what+"\n"); got != nil {
			t.Errorf("%s in a List that stays: %q", what, got)
		}
	}

	// Without the block, a List stays one document; what is in it is known.
	bare := list + other + strings.Replace(item, access, "replicas: 1", 1)
	documents, got := said(t, bare)
	if len(documents) != 3 || string(documents[0].Source) != bare || documents[2].Source != nil || documents[2].Name != "orders" || got != nil {
		t.Errorf("got %+v %q", documents, got)
	}
}
