package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// otherVerdict lists the files of the corpus that an API server with the patch
// judges otherwise than the rules, and why no patch can help it.
var otherVerdict = map[string]string{
	"accept/absent.yaml":                          notOurs,
	"accept/disabled_odd_cluster.yaml":            notOurs,
	"reject/address_missing_other_namespace.yaml": "a rule cannot read metadata.namespace",

	"reject/annotation_value_null.yaml": nullIsDropped,
	"reject/cluster_domain.yaml":        notReleased,
	"reject/cluster_domain_number.yaml": notReleased,
	"reject/discovery_hostname.yaml":    notReleased,
	"reject/server_name.yaml":           notReleased,
	"reject/enabled_null.yaml":          nullIsDropped,
	"reject/enabled_yes.yaml":           "the API server reads YAML 1.1, where yes is true",
	"reject/gateway_null.yaml":          nullIsDropped,
	"reject/image_container.yaml":       containers,

	"reject/container_args_announce.yaml":             containers,
	"reject/container_args_behind_the_operators.yaml": containers,
	"reject/container_args_equals.yaml":               containers,
	"reject/container_args_number_beside.yaml":        containers,
	"reject/container_args_one_string.yaml":           containers,
	"reject/container_args_upper.yaml":                containers,
	"reject/container_command_other_ip.yaml":          containers,
	"reject/container_command_shell.yaml":             containers,

	"reject/address_hostname_placeholder.yaml":            placeholders,
	"reject/annotation_key_leading_hyphen.yaml":           twoTypes,
	"reject/annotation_key_long.yaml":                     twoTypes,
	"reject/annotation_key_slashes.yaml":                  twoTypes,
	"reject/annotation_key_space.yaml":                    twoTypes,
	"reject/annotation_list_braces.yaml":                  twoTypes,
	"reject/annotation_list_empty.yaml":                   twoTypes,
	"reject/annotation_list_external_dns.yaml":            twoTypes,
	"reject/annotation_list_hostname_of_address.yaml":     twoTypes,
	"reject/annotation_list_hostname_without_domain.yaml": twoTypes,
	"reject/annotation_list_number.yaml":                  twoTypes,
	"reject/annotation_list_of_lists.yaml":                twoTypes,
	"reject/annotation_list_of_nodes.yaml":                twoTypes,
	"reject/annotation_list_short.yaml":                   twoTypes,
	"reject/annotation_prefix_254.yaml":                   twoTypes,
	"reject/annotation_source_ranges.yaml":                twoTypes,
	"reject/annotation_topology.yaml":                     twoTypes,
	"reject/annotation_value_bool.yaml":                   twoTypes,
	"reject/annotation_value_list.yaml":                   twoTypes,
	"reject/annotation_value_number.yaml":                 twoTypes,

	"reject/annotations_many_placeholders.yaml":          placeholders,
	"reject/external_dns_constant.yaml":                  placeholders,
	"reject/external_dns_constant_one_shard.yaml":        placeholders,
	"reject/external_dns_doubled_braces.yaml":            placeholders,
	"reject/external_dns_empty.yaml":                     placeholders,
	"reject/external_dns_first_contact_no_name.yaml":     placeholders,
	"reject/external_dns_first_contact_of_a_shard.yaml":  placeholders,
	"reject/external_dns_first_contact_per_shard.yaml":   placeholders,
	"reject/external_dns_first_contact_underscore.yaml":  placeholders,
	"reject/external_dns_new_prefix.yaml":                placeholders,
	"reject/external_dns_new_prefix_without_domain.yaml": placeholders,
	"reject/external_dns_other_domain.yaml":              placeholders,
	"reject/external_dns_unknown_namespace.yaml":         placeholders,
	"reject/external_dns_without_domain.yaml":            placeholders,
	"reject/placeholder_hostname_without_domain.yaml":    placeholders,
	"reject/placeholder_node_of_a_shard.yaml":            placeholders,
	"reject/scope_node_external_dns_beside.yaml":         placeholders,
	"reject/scope_node_external_dns_first_node.yaml":     placeholders,
	"reject/scope_node_external_dns_of_a_shard.yaml":     placeholders,
}

const (
	notOurs       = "without external access the rules leave a cluster alone; the API server holds it to the operator's CRD and to its own rule for names"
	notReleased   = "no released CRD has the field, so no rule can read it"
	containers    = "the CRD sets spec.containers no bound, and the API server refuses a rule that may cost too much"
	nullIsDropped = "the API server drops a null before anything is checked"
	twoTypes      = "an annotation's value may be a string or a list, and CEL does not see a map of such"
	placeholders  = "to fill in the placeholders of annotations of any length would cost more than the API server allows"
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
	corpus := os.DirFS(filepath.Join(product.Root(t), "cue", "testdata"))
	var files []string
	for _, verdict := range []string{"accept", "warn", "reject"} {
		names, err := fs.Glob(corpus, verdict+"/*.yaml")
		if err != nil || len(names) == 0 {
			t.Fatalf("no files to %s: %v", verdict, err)
		}
		files = append(files, names...)
	}
	for name := range otherVerdict {
		if !slices.Contains(files, name) {
			t.Errorf("there is no %s to excuse", name)
		}
	}
	var answers strings.Builder
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			text, err := fs.ReadFile(corpus, name)
			if err != nil {
				t.Fatal(err)
			}
			err = create(t, b, text)
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
	root := openAPISchema(installed(t, b))
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
// on the way would see to duplicate keys. But the namespace that some of the corpus
// have is the test's. The error says that it is refused.
func create(t *testing.T, b *bed.Bed, cluster []byte) error {
	t.Helper()
	cluster = bytes.ReplaceAll(cluster, []byte("namespace: shop"), []byte("namespace: "+b.Namespace))
	path := fmt.Sprintf("/apis/%s/namespaces/%s/%s", operator.ValkeyClusters.GroupVersion(), b.Namespace, operator.ValkeyClusters.Resource)
	err := b.Kube().Discovery().RESTClient().Post().AbsPath(path).
		Param("dryRun", metav1.DryRunAll).Param("fieldValidation", metav1.FieldValidationStrict).
		SetHeader("Content-Type", "application/yaml").Body(cluster).Do(b.T.Context()).Error()
	if err != nil && !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) {
		t.Fatal(err)
	}
	return err
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
