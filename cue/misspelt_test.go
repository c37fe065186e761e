package rules

import (
	"strings"
	"testing"
)

// TestBlockWhereItIsNotRead: at a wrong level, or under a key that is given twice, it
// is not passed over in silence.
func TestBlockWhereItIsNotRead(t *testing.T) {
	const metadata = "metadata: {name: orders, namespace: shop}\n"
	holds(t, head+metadata+"spec: {shards: 1}\n"+access+"\n", nil, "5:1: externalAccess: is not read there")
	holds(t, head+metadata+"Spec: {shards: 1, "+access+"}\n", nil, "4:19: Spec.externalAccess: is not read there")
	holds(t, head+metadata+"spec:\n  shards: 1\n  networking:\n    "+access+"\n", nil, "7:5: spec.networking.externalAccess: is not read there")
	holds(t, head+metadata+"spec:\n  containers: [{"+access+"}]\n", nil, "5:17: spec.containers[0].externalAccess: is not read")
	holds(t, head+metadata+"spec: {shards: 1}\nspec: {"+access+"}\n", nil, "5:8: spec.externalAccess: stands under a key that is given twice")
	holds(t, "kind: ConfigMap\n"+orders, nil, "3:1: kind: duplicate key")
	holds(t, "apiVersion: v1\n"+orders, nil, "2:1: apiVersion: duplicate key")

	// Fields of that name may be others'.
	holds(t, head+metadata+"spec: {shards: 1, x: {externalAccess: true, y: {externalAccess: {}}}}\n", nil)
	holds(t, "kind: ConfigMap\nkind: Secret\nspec: {"+access+"}\n", nil)
}

func TestClusterPlainlyMeant(t *testing.T) {
	rest := "metadata: {name: a}\nspec: {shards: 1, " + access + "}\n"
	for first, want := range map[string]string{
		"kind: ValkeyCluster\n":                                    "1:1: apiVersion: is missing, and one of valkey.io",
		"apiVersion: valkey.oi/v1alpha1\nkind: ValkeyCluster\n":    "1:13: apiVersion: is valkey.oi/v1alpha1, and one of valkey.io",
		"apiVersion: v1alpha1\nkind: ValkeyCluster\n":              "1:13: warning: apiVersion: is v1alpha1: nothing is rendered",
		"apiVersion: valkey.io/v1alpha1\nkind: valkeycluster\n":    "2:7: kind: is valkeycluster, and ValkeyCluster",
		"apiVersion: valkey.io/v1alpha1\nkind: ValkeyClusters\n":   "2:7: kind: is ValkeyClusters, and ValkeyCluster",
		"apiVersion: Valkey.io/v1alpha1\nkind: ValkeyCluster\n":    "1:13: apiVersion: is Valkey.io/v1alpha1, and one of valkey.io",
		"apiVersion: other.example/v1\nkind: ValkeyCluster\n":      "1:13: warning: apiVersion: is other.example/v1: nothing is rendered",
		"apiVersion: valkey.io/v1alpha1\n":                         "1:1: is no Kubernetes object: it has no kind",
		"\ufeff\ufeffapiVersion: valkey.io/v1\nkind: a\nkind: b\n": "",
		"apiVersion: mongodb.com/v1\nkind: MongoDB\n":              "",
		"apiVersion: valkey.io/v1alpha1\nkind: ValkeyNode\n":       "",
	} {
		if want == "" {
			holds(t, first+rest, nil)
			continue
		}
		holds(t, first+rest, nil, want)
	}
	holds(t, "kind: valkeycluster\nspec: {externalAccess: null}\n", nil)
	for _, name := range []string{"exteralAccess", "externalaccess", "external_access"} {
		holds(t, strings.Replace(orders, "externalAccess", name, 1), nil, "4:19: spec."+name+`: unknown field; did you mean "externalAccess"?`)
	}
}

func TestSpecThatIsNoMapping(t *testing.T) {
	holds(t, head+"metadata: {name: a}\nspec: null\n", nil, "4:7: spec: must be a block of fields")
	holds(t, head+"metadata: {name: a}\nspec: [1]\n", nil, "4:1: spec: must be a block of fields")
	holds(t, head+"metadata: {name: a}\n", nil)
}

func TestDuplicateKeysOfAClusterWithoutTheBlock(t *testing.T) {
	holds(t, head+"metadata: {name: a, name: a}\nspec: {shards: 1, shards: 2}\n", nil)
}
