package gen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestObjectsThatADirectoryHolds: they are told by group, kind, namespace and name,
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
		"names by alias":           {"kind: &k Secret\nmetadata: &m {name: *k, namespace: b}\n", "", "Secret b/Secret"},
		"a List around itself":     {"kind: List\nitems: &i\n- kind: List\n  items: *i\n- {kind: A, metadata: {name: a}}\n", "", "A a"},
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
	if _, err := lost([]File{{clusterFile, []byte("<<<<<<< ours\nkind: A\n=======\n")}}, nil); err == nil {
		t.Error("a file that cannot be read holds nothing")
	}
}

// TestTakingAwayIsSaidPlainly: which objects, and that a database goes.
func TestTakingAwayIsSaidPlainly(t *testing.T) {
	for objects, want := range map[[2]string]string{
		{"", "Secret"}:              "takes away Secret shop/a, which a pipeline that prunes deletes",
		{"", "Namespace"}:           "takes away Namespace shop/a, which a pipeline that prunes deletes, a namespace with all that is in it",
		{schema.Group, schema.Kind}: "takes away ValkeyCluster shop/a, which a pipeline that prunes deletes, the database and its data with it",
	} {
		if got := takesAway([]held{{objects[0], objects[1], "shop", "a"}}); got.Reason != want || got.Step == "" {
			t.Errorf("%q", got.Reason)
		}
	}
}

// TestDirectoryNamesTheNamespace: a cluster that is not exposed is the same object
// as when it was, also where the namespace comes from the options.
func TestDirectoryNamesTheNamespace(t *testing.T) {
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
		files, err := Directory([]schema.Document{d}, Options{Namespace: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Header+header+want, string(TextOf(files, clusterFile))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if text := string(d.Source); text != header+metadata {
			t.Error("the input was changed")
		}
	}
}

// TestHalfWritten: the folder is read back, and from no other file.
func TestHalfWritten(t *testing.T) {
	if staging, ok := HalfWrittenFrom(HalfWritten(".valkey-expose-1")); !ok || staging != ".valkey-expose-1" {
		t.Errorf("%q %v", staging, ok)
	}
	for _, text := range []string{"", Header, Header + "resources: []\n", halfWritten + "x\n"} {
		if staging, ok := HalfWrittenFrom([]byte(text)); ok {
			t.Errorf("%q: %q", text, staging)
		}
	}
}
