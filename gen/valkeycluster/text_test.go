package valkeycluster

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestMarkerIsMerged: wherever the container and its variables are, or are missing,
// they are added to in the style that is there.
func TestMarkerIsMerged(t *testing.T) {
	const block = "  externalAccess: {enabled: true}\n"
	for name, test := range map[string]struct{ spec, want string }{
		"nothing there": {
			"spec:\n  shards: 3\n" + block,
			"spec:\n  shards: 3\n  containers:\n  - name: server\n    env:\n    - name: VALKEY_EXPOSE\n      value: enabled\n",
		},
		"another container": {
			"spec:\n" + block + "  containers:\n    - name: metrics # mine\n",
			"spec:\n  containers:\n    - name: metrics # mine\n    - name: server\n      env:\n      - name: VALKEY_EXPOSE\n        value: enabled\n",
		},
		"no variables": {
			"spec:\n  containers:\n  - name: server\n    image: x\n" + block,
			"spec:\n  containers:\n  - name: server\n    env:\n    - name: VALKEY_EXPOSE\n      value: enabled\n    image: x\n",
		},
		"variables in flow style": {
			"spec:\n  containers: [{name: server, env: [{name: A, value: b}]}]\n" + block,
			`spec:` + "\n" + `  containers: [{name: server, env: [{name: A, value: b}, {"name":"VALKEY_EXPOSE","value":"enabled"}]}]` + "\n",
		},
		"there already": {
			"spec:\n  containers:\n  - name: server\n    env:\n    - {name: VALKEY_EXPOSE, value: enabled}\n" + block,
			"spec:\n  containers:\n  - name: server\n    env:\n    - {name: VALKEY_EXPOSE, value: enabled}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			const head = "metadata: {name: orders, namespace: shop}\n"
			got, err := Text(document(head+test.spec), plan.Options{}, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(head+test.want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestWhatCannotBeEditedIsAnError: a document that would say something else
// elsewhere is never written.
func TestWhatCannotBeEditedIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"the marker with another value": "metadata: {name: a, namespace: b}\nspec:\n  containers: [{name: server, env: [{name: VALKEY_EXPOSE, value: x}]}]\n  externalAccess: {}\n",
		"variables that are no list":    "metadata: {name: a, namespace: b}\nspec:\n  containers: [{name: server, env: a}]\n  externalAccess: {}\n",
		"an anchor in the block":        "metadata: {name: a, namespace: b}\nspec:\n  externalAccess: {domain: &d example.com}\n  other: *d\n",
		"an anchor around the server":   "metadata: {name: a, namespace: b}\nspec:\n  containers:\n  - &s\n    name: server\n  other: *s\n  externalAccess: {}\n",
		"no document":                   "# nothing\n",
	} {
		if got, err := Text(document(text), plan.Options{}, true); err == nil {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestOnlyWhatIsAskedForChanges: the block stays if it is to be kept, the marker
// comes only where pods are to be rolled, and what a server set goes.
func TestOnlyWhatIsAskedForChanges(t *testing.T) {
	const text = "metadata: {name: a, namespace: b, uid: c} # x\nspec:\n  externalAccess: {enabled: true}\n  shards: 1\nstatus: {}\n"
	for _, test := range []struct {
		options plan.Options
		marked  bool
		gone    string
		there   string
	}{
		{plan.Options{}, false, "externalAccess", "shards: 1"},
		{plan.Options{KeepBlock: true}, false, "VALKEY_EXPOSE", "  externalAccess: {enabled: true}\n"},
		{plan.Options{KeepBlock: true}, true, "status", "VALKEY_EXPOSE"},
	} {
		got, err := Text(document(text), test.options, test.marked)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(got); strings.Contains(s, test.gone) || !strings.Contains(s, test.there) || strings.Contains(s, "uid") || !strings.Contains(s, "# x") {
			t.Errorf("%+v:\n%s", test, s)
		}
	}
}

// TestKeptBlockKeepsItsComment: what is added comes after it.
func TestKeptBlockKeepsItsComment(t *testing.T) {
	const head, block = "metadata: {name: a, namespace: b}\nspec:\n", "  # for the shop\n  externalAccess: {enabled: true}\n"
	got, err := Text(document(head+block), plan.Options{KeepBlock: true}, true)
	if err != nil || !strings.HasPrefix(string(got), head+block+"  containers:\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

func document(text string) schema.Document {
	return schema.Document{Source: []byte(text), Cluster: &schema.Cluster{
		Name: "orders", Namespace: "shop", ExternalAccess: &schema.ExternalAccess{Enabled: true},
	}}
}
