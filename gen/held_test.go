package gen

import (
	"fmt"
	"strings"
	"testing"
)

// TestObjectsThatADirectoryHolds: they are known by group, kind, namespace and name,
// however the documents are written; their contents do not count.
func TestObjectsThatADirectoryHolds(t *testing.T) {
	const cluster = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec: {shards: 1}\n"
	const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: password, namespace: shop}\n"
	for name, test := range map[string]struct{ before, after, want string }{
		"the same":                 {cluster, cluster, ""},
		"changed":                  {cluster, strings.Replace(cluster, "shards: 1", "shards: 2", 1), ""},
		"a newer version":          {cluster, strings.Replace(cluster, "v1alpha1", "v1", 1), ""},
		"moved in the stream":      {cluster + secret, secret + "---\n" + cluster, ""},
		"as JSON with tabs":        {cluster, "{\n\t\"apiVersion\": \"valkey.io/v1\",\n\t\"kind\": \"ValkeyCluster\",\n\t\"metadata\": {\"name\": \"orders\", \"namespace\": \"shop\"}\n}\n", ""},
		"from JSON with tabs":      {"{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"Secret\",\n\t\"metadata\": {\"name\": \"a\"}\n}\n", cluster, "Secret a"},
		"gone":                     {cluster, "", "ValkeyCluster shop/orders"},
		"another name":             {cluster, strings.Replace(cluster, "orders", "carts", 1), "ValkeyCluster shop/orders"},
		"another namespace":        {cluster, strings.Replace(cluster, "shop", "test", 1), "ValkeyCluster shop/orders"},
		"no namespace any more":    {cluster, strings.Replace(cluster, ", namespace: shop", "", 1), "ValkeyCluster shop/orders"},
		"a namespace for once":     {strings.Replace(cluster, ", namespace: shop", "", 1), cluster, "ValkeyCluster orders"},
		"another group":            {cluster, strings.Replace(cluster, "valkey.io", "example.com", 1), "ValkeyCluster shop/orders"},
		"another kind":             {cluster, strings.Replace(cluster, "ValkeyCluster", "Valkey", 1), "ValkeyCluster shop/orders"},
		"a Secret gone":            {cluster + secret, cluster, "Secret shop/password"},
		"out of a List":            {"apiVersion: v1\nkind: List\nitems:\n- kind: Secret\n  metadata: {name: a}\n- kind: List\n  items: [{kind: ConfigMap, metadata: {name: b}}]\n", cluster, "Secret a, ConfigMap b"},
		"into a List":              {secret, "kind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: password, namespace: shop}}]\n", ""},
		"a name merged in":         {"kind: A\nmetadata: {<<: {name: a}, namespace: b}\n", "", "A b/a"},
		"a name merged in twice":   {"kind: A\nmetadata: {<<: {<<: {name: a}, namespace: b}}\n", "", "A b/a"},
		"no merge key in quotes":   {"kind: A\nmetadata: {'<<': {name: a}, name: b}\n---\nkind: A\nmetadata: {\"<<\": {name: a}}\n", "", "A b"},
		"a List by alias":          {"kind: List\nitems: [&l {kind: List, items: [{kind: A, metadata: {name: a}}]}, *l, {<<: *l}]\n", "", "A a, A a, A a"},
		"an object by alias":       {"kind: List\nitems: [&a {kind: A, metadata: {name: a}}, *a]\n", "", "A a, A a"},
		"names by alias":           {"kind: &k Secret\nmetadata: &m {name: *k, namespace: b}\n", "", "Secret b/Secret"},
		"numbers and null":         {"kind: A\nmetadata: {name: 1, namespace: null}\n", "", "A 1"},
		"nothing to tell":          {"# nothing\n---\nkind: A\n---\n[a]\n---\n- kind: A\n", "", ""},
		"not once twice":           {secret + secret, "", "Secret shop/password, Secret shop/password"},
		"what is rendered instead": {"kind: Service\napiVersion: v1\nmetadata: {name: valkey-orders-shard-0, namespace: shop}\n", "rendered", ""},
	} {
		t.Run(name, func(t *testing.T) {
			have := []File{{clusterFile, []byte(Header + test.before)}}
			want := []File{{clusterFile, []byte(Header + test.after)}}
			if test.after == "rendered" {
				want = []File{{servicesFile, []byte(Header + test.before)}}
			}
			gone, err := lost(have, want)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range gone {
				got = append(got, h.String())
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("lost %q, want %q", got, test.want)
			}
		})
	}
	for text, want := range map[string]string{
		"<<<<<<< ours\nkind: A\n=======\n":                          "mapping values are not allowed",
		"kind: List\nitems: &i\n- kind: List\n  items: *i\n":        `line 5: anchor "i" contains itself`,
		"kind: List\nitems: [&l {kind: List, items: [{<<: *l}]}]\n": `line 3: anchor "l" contains itself`,
		fanOut(11): "line 2: aliases expand to more than a million values",
	} {
		if _, err := lost([]File{{clusterFile, []byte(Header + text)}}, nil); err == nil || !strings.Contains(err.Error(), clusterFile+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %s", text, err, want)
		}
	}
}

// fanOut is a mapping whose members each merge the one before four times.
func fanOut(levels int) string {
	text := "{m0: &m0 {name: a}"
	for i := range levels {
		text += fmt.Sprintf(", m%d: &m%d {<<: [*m%d, *m%d, *m%d, *m%d]}", i+1, i+1, i, i, i, i)
	}
	return text + "}\n"
}
