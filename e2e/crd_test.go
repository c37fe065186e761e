package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// patchedCRD is a bed whose CRD has the project's patch. The tests here do not run
// in parallel, so that whoever needs the CRD without installs it after them.
func patchedCRD(t *testing.T) *bed.Bed {
	t.Helper()
	b := start(t)
	operator.InstallCRD(b, true)
	return b
}

// TestCRDPatchKeepsWhatTheOperatorHas compares the CRD that the API server has
// before and after the patch: less the two fields and the rules, it is the same.
func TestCRDPatchKeepsWhatTheOperatorHas(t *testing.T) {
	b := start(t)
	before := installed(t, b)
	operator.InstallCRD(b, true)
	after := installed(t, b)

	was, is := openAPISchema(before), openAPISchema(after)
	had, has := rulesOf(was, "properties", "spec"), rulesOf(is, "properties", "spec")
	if len(had) == 0 || len(has) < len(had)+10 || len(rulesOf(was)) != 0 || len(rulesOf(is)) == 0 {
		t.Fatalf("%d rules of spec became %d, %d of the whole object %d", len(had), len(has), len(rulesOf(was)), len(rulesOf(is)))
	}
	if err := unstructured.SetNestedSlice(is, has[:len(had)], "properties", "spec", "x-kubernetes-validations"); err != nil {
		t.Fatal(err)
	}
	unstructured.RemoveNestedField(is, "x-kubernetes-validations")
	unstructured.RemoveNestedField(is, "properties", "spec", "properties", "externalAccess")
	unstructured.RemoveNestedField(is, "properties", "status", "properties", "externalEndpoints")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the patch changed what was there (-before +after):\n%s", diff)
	}
}

// installed is the spec of the CRD that the API server has.
func installed(t *testing.T, b *bed.Bed) map[string]any {
	t.Helper()
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	crd, err := b.Dynamic().Resource(crds).Get(t.Context(), operator.ValkeyClusters.GroupResource().String(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return crd.Object["spec"].(map[string]any)
}

// openAPISchema is the schema of the one version, for reading and writing.
func openAPISchema(crd map[string]any) map[string]any {
	version := crd["versions"].([]any)[0].(map[string]any)
	return version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
}

func rulesOf(root map[string]any, path ...string) []any {
	rules, _, _ := unstructured.NestedSlice(root, append(path, "x-kubernetes-validations")...)
	return rules
}

// TestCRDPatchListsEndpointsByShard: the status subresource takes endpoints, two
// writers can each have a shard of theirs, and no shard is there twice.
func TestCRDPatchListsEndpointsByShard(t *testing.T) {
	b := patchedCRD(t)
	b.Apply(strings.Split(input(b, 2, "", ""), "  externalAccess:")[0])
	clusters := b.Dynamic().Resource(operator.ValkeyClusters).Namespace(b.Namespace)
	write := func(manager, endpoints string) error {
		var status unstructured.Unstructured
		text := fmt.Sprintf(`{"apiVersion": "valkey.io/v1alpha1", "kind": "ValkeyCluster", "metadata": {"name": %q},
			"status": {"externalEndpoints": %s}}`, clusterName, endpoints)
		if err := json.Unmarshal([]byte(text), &status.Object); err != nil {
			t.Fatal(err)
		}
		_, err := clusters.ApplyStatus(t.Context(), clusterName, &status, metav1.ApplyOptions{FieldManager: manager})
		return err
	}
	for manager, endpoints := range map[string]string{
		"first":  `[{"shardIndex": 0, "nodePorts": [30001, 30002], "hostname": "shard-0.valkey.example.com", "ports": [30001, 30002]}]`,
		"second": `[{"shardIndex": 1, "address": "192.0.2.1", "ports": [6379, 6380]}]`,
	} {
		if err := write(manager, endpoints); err != nil {
			t.Fatal(err)
		}
	}
	got, err := clusters.Get(t.Context(), clusterName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var shards []any
	endpoints, _, _ := unstructured.NestedSlice(got.Object, "status", "externalEndpoints")
	for _, e := range endpoints {
		shards = append(shards, e.(map[string]any)["shardIndex"])
	}
	slices.SortFunc(shards, func(a, b any) int { return int(a.(int64) - b.(int64)) })
	if diff := cmp.Diff([]any{int64(0), int64(1)}, shards); diff != "" {
		t.Errorf("the shards differ (-want +got):\n%s\n%v", diff, endpoints)
	}
	for name, wrong := range map[string]string{
		"a shard twice":          `[{"shardIndex": 5, "ports": [1]}, {"shardIndex": 5, "ports": [2]}]`,
		"a shard without number": `[{"ports": [1]}]`,
		"a port too high":        `[{"shardIndex": 5, "ports": [65536]}]`,
	} {
		if err := write("third", wrong); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
