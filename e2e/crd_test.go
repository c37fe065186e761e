package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
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
	before := openAPISchema(t, b)
	operator.InstallCRD(b, true)
	after := openAPISchema(t, b)

	had := len(rulesOf(before, "properties", "spec"))
	spec := rulesOf(after, "properties", "spec")
	if had == 0 || len(spec) < had+10 || len(rulesOf(before)) != 0 || len(rulesOf(after)) == 0 {
		t.Fatalf("%d rules of spec became %d, %d of the whole object %d", had, len(spec), len(rulesOf(before)), len(rulesOf(after)))
	}
	if err := unstructured.SetNestedSlice(after, spec[:had], "properties", "spec", "x-kubernetes-validations"); err != nil {
		t.Fatal(err)
	}
	unstructured.RemoveNestedField(after, "x-kubernetes-validations")
	unstructured.RemoveNestedField(after, "properties", "spec", "properties", "externalAccess")
	unstructured.RemoveNestedField(after, "properties", "status", "properties", "externalEndpoints")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the patch changed what was there (-before +after):\n%s", diff)
	}
}

// openAPISchema is the schema of the installed CRD.
func openAPISchema(t *testing.T, b *bed.Bed) map[string]any {
	t.Helper()
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	crd, err := b.Dynamic().Resource(crds).Get(t.Context(), operator.ValkeyClusters.GroupResource().String(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	versions, _, err := unstructured.NestedSlice(crd.Object, "spec", "versions")
	if err != nil || len(versions) != 1 {
		t.Fatalf("%d versions: %v", len(versions), err)
	}
	root, _, err := unstructured.NestedMap(versions[0].(map[string]any), "schema", "openAPIV3Schema")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func rulesOf(root map[string]any, path ...string) []any {
	rules, _, _ := unstructured.NestedSlice(root, append(path, "x-kubernetes-validations")...)
	return rules
}

// otherVerdict lists the files of the corpus that an API server with the patch
// judges otherwise than the rules, and why no patch can help it.
var otherVerdict = map[string]string{
	"accept/absent.yaml":                notOurs,
	"accept/disabled_odd_cluster.yaml":  notOurs,
	"reject/annotation_value_null.yaml": nullIsDropped,
	"reject/discovery_hostname.yaml":    "no released CRD has the field, so no rule can read it",
	"reject/enabled_null.yaml":          nullIsDropped,
	"reject/enabled_yes.yaml":           "the API server reads YAML 1.1, where yes is true",
	"reject/gateway_null.yaml":          nullIsDropped,
	"reject/image_container.yaml":       "the CRD sets spec.containers no bound, and the API server refuses a rule that may cost too much",
}

const (
	notOurs       = "without external access the rules leave a cluster alone; the API server holds it to the operator's CRD and to its own rule for names"
	nullIsDropped = "the API server drops a null before anything is checked"
)

// notSeen lists the rules of the patch that refuse nothing here, by what they say.
var notSeen = map[string]string{
	"is required with external access: every node is rendered": "the CRD requires shards itself, and the API server says that first",
}

// TestCRDPatchGivesTheVerdictsOfTheRules asks the API server to create every
// cluster of the corpus, as it stands, with strict field validation: a file in
// accept and warn is taken, one in reject refused. Package rules holds cue vet
// to the same. And every rule of the patch is seen to refuse one.
func TestCRDPatchGivesTheVerdictsOfTheRules(t *testing.T) {
	b := patchedCRD(t)
	folder := filepath.Join(product.Root(t), "cue", "testdata")
	files, err := filepath.Glob(filepath.Join(folder, "[arw][cea][crj]*", "*.yaml"))
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	var answers strings.Builder
	for _, file := range files {
		name, err := filepath.Rel(folder, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			err = create(b, text)
			t.Log(err)
			if err != nil {
				answers.WriteString(err.Error() + "\n")
			}
			reason, excused := otherVerdict[name]
			same := (err == nil) != strings.HasPrefix(name, "reject/")
			switch {
			case !same && !excused:
				t.Errorf("accepted %v", err == nil)
			case same && excused:
				t.Errorf("the verdict is the same, so there is no need to excuse it: %s", reason)
			}
		})
	}
	// No file of the corpus is as long as this.
	long := input(b, 1, "serviceAnnotations: {a: "+strings.Repeat("x", 262000)+"}", "")
	if err := create(b, []byte(long)); err != nil {
		answers.WriteString(err.Error())
	}
	root := openAPISchema(t, b)
	for _, r := range slices.Concat(rulesOf(root), rulesOf(root, "properties", "spec")[1:], fieldRules(root["properties"].(map[string]any)["spec"])) {
		pattern, text := message(r.(map[string]any))
		reason, excused := notSeen[text]
		switch seen := pattern.MatchString(answers.String()); {
		case !seen && !excused:
			t.Errorf("no cluster was refused with %q", text)
		case seen && excused:
			t.Errorf("a cluster was refused with %q, so there is no need to excuse it: %s", text, reason)
		}
	}
}

// create asks for a cluster to be created, in the user's own bytes: a decoder
// on the way would see to duplicate keys.
func create(b *bed.Bed, cluster []byte) error {
	path := fmt.Sprintf("/apis/%s/namespaces/%s/%s", operator.ValkeyClusters.GroupVersion(), b.Namespace, operator.ValkeyClusters.Resource)
	return b.Kube().Discovery().RESTClient().Post().AbsPath(path).
		Param("dryRun", metav1.DryRunAll).Param("fieldValidation", metav1.FieldValidationStrict).
		SetHeader("Content-Type", "application/yaml").Body(cluster).Do(b.T.Context()).Error()
}

// message is what a rule says, and a pattern for it with any numbers.
func message(rule map[string]any) (*regexp.Regexp, string) {
	text, constant := rule["message"].(string)
	if !constant {
		text, _, _ = strings.Cut(strings.TrimPrefix(rule["messageExpression"].(string), "'"), "'.format(")
	}
	return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(text), "%d", `\d+`)), text
}

// fieldRules are the rules of the block's own fields.
func fieldRules(spec any) []any {
	var all []any
	var walk func(any)
	walk = func(v any) {
		node, ok := v.(map[string]any)
		if !ok {
			return
		}
		all = append(all, rulesOf(node)...)
		properties, _ := node["properties"].(map[string]any)
		for _, p := range properties {
			walk(p)
		}
	}
	walk(spec.(map[string]any)["properties"].(map[string]any)["externalAccess"])
	return all
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
