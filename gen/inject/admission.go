package inject

import (
	"fmt"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

func admission() Way {
	return Way{
		Name:    schema.InjectAdmission,
		Summary: "a MutatingAdmissionPolicy",
		File:    "policy.yaml",
		Objects: policyAndBinding,
		Marker:  true,
	}
}

// policyAndBinding renders the MutatingAdmissionPolicy that puts the overlay into the
// cluster's pods as they are created, and its binding. The policy depends on
// the cluster's name only, never on its settings: those are in the files.
//
// It has no parameters (once the last policy with a ConfigMap as parameter is
// deleted, a later one finds none until the API server restarts) and ignores
// its own failures: a database pod must not be kept from starting by its
// announcement.
func policyAndBinding(x *plan.Exposed) []any {
	name := schema.PolicyName(x.Plan.Namespace, x.Plan.Cluster)
	apiVersion := admissionv1.GroupName + "/" + x.Options.AdmissionVersion
	meta := metadata.Global(x, name, metadata.Before(x), metadata.Optional(x))
	policy := &admissionv1.MutatingAdmissionPolicy{
		TypeMeta:   metadata.Type(apiVersion, "MutatingAdmissionPolicy"),
		ObjectMeta: meta,
		Spec: admissionv1.MutatingAdmissionPolicySpec{
			FailurePolicy:      new(admissionv1.Ignore),
			ReinvocationPolicy: admissionv1.NeverReinvocationPolicy,
			MatchConstraints: &admissionv1.MatchResources{
				MatchPolicy: new(admissionv1.Equivalent),
				NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
					corev1.LabelMetadataName: x.Plan.Namespace,
				}},
				ObjectSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
					schema.ClusterLabel:   x.Plan.Cluster,
					schema.ComponentLabel: schema.NodeComponent,
				}},
				ResourceRules: []admissionv1.NamedRuleWithOperations{{
					RuleWithOperations: admissionv1.RuleWithOperations{
						Operations: []admissionv1.OperationType{admissionv1.Create},
						Rule: admissionv1.Rule{
							APIGroups:   []string{""},
							APIVersions: []string{"v1"},
							Resources:   []string{"pods"},
							Scope:       new(admissionv1.AllScopes),
						},
					},
				}},
			},
			MatchConditions: []admissionv1.MatchCondition{
				{Name: "has-indices", Expression: fmt.Sprintf("['%s', '%s'].all(l, l in object.metadata.labels)", schema.ShardLabel, schema.NodeLabel)},
				{Name: "has-server", Expression: fmt.Sprintf("object.spec.containers.exists(c, c.name == '%s')", schema.ServerContainer)},
				// A pod from a template that has them would be refused with two of a name.
				{Name: "has-no-port", Expression: fmt.Sprintf("!object.spec.containers.exists(c, has(c.ports) && c.ports.exists(p, has(p.name) && p.name == '%s' + string(object.metadata.labels['%s'])))", schema.PortPrefix, schema.NodeLabel)},
				{Name: "has-no-volume", Expression: fmt.Sprintf("!has(object.spec.volumes) || !object.spec.volumes.exists(v, v.name == '%s')", overlayVolume)},
			},
			Variables: []admissionv1.Variable{
				{Name: "shard", Expression: fmt.Sprintf("string(object.metadata.labels['%s'])", schema.ShardLabel)},
				{Name: "node", Expression: fmt.Sprintf("string(object.metadata.labels['%s'])", schema.NodeLabel)},
				{Name: "index", Expression: fmt.Sprintf("object.spec.containers.map(c, c.name).indexOf('%s')", schema.ServerContainer)},
				{Name: "server", Expression: "object.spec.containers[variables.index]"},
				{Name: "at", Expression: "'/spec/containers/' + string(variables.index)"},
			},
			Mutations: []admissionv1.Mutation{{
				PatchType: admissionv1.PatchTypeJSONPatch,
				JSONPatch: &admissionv1.JSONPatch{Expression: mutation(x)},
			}},
		},
	}
	binding := &admissionv1.MutatingAdmissionPolicyBinding{
		TypeMeta:   metadata.Type(apiVersion, "MutatingAdmissionPolicyBinding"),
		ObjectMeta: meta,
		Spec:       admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
	}
	return []any{policy, binding}
}

// mutation is the CEL of the patch. A list that a pod lacks is made first, for
// "-" appends only to one that exists. The object is dynamic: members of a list
// literal must be converted, or the policy is refused.
func mutation(x *plan.Exposed) string {
	projected := func(configMap string) string {
		return fmt.Sprintf(`Object.spec.volumes.projected.sources{configMap: Object.spec.volumes.projected.sources.configMap{name: "%s", optional: true}}`, configMap)
	}
	return strings.NewReplacer(
		"VOLUME", overlayVolume,
		"PATH", overlayPath,
		"FILES", schema.FilePattern(`" + variables.shard + "`, `" + variables.node + "`), // out of the literal and into it again
		"PORT_NAME", schema.PortPrefix,
		"PORT", strconv.Itoa(schema.ClientPort),
		"ANNOUNCE", projected(plan.AnnounceName(x.Plan.Cluster)),
		"ENDPOINTS", projected(schema.EndpointsName(x.Plan.Cluster)),
	).Replace(`(has(object.spec.volumes) ? [] : [JSONPatch{op: "add", path: "/spec/volumes", value: []}]) +
(has(variables.server.volumeMounts) ? [] : [JSONPatch{op: "add", path: variables.at + "/volumeMounts", value: []}]) +
(has(variables.server.ports) ? [] : [JSONPatch{op: "add", path: variables.at + "/ports", value: []}]) +
(has(variables.server.args) ? [] : [JSONPatch{op: "add", path: variables.at + "/args", value: []}]) +
[
  JSONPatch{op: "add", path: "/spec/volumes/-", value: Object.spec.volumes{name: "VOLUME", projected: Object.spec.volumes.projected{sources: [
    ANNOUNCE,
    ENDPOINTS
  ]}}},
  JSONPatch{op: "add", path: variables.at + "/volumeMounts/-", value: Object.spec.containers.volumeMounts{name: "VOLUME", mountPath: "PATH", readOnly: true}},
  JSONPatch{op: "add", path: variables.at + "/ports/-", value: Object.spec.containers.ports{name: "PORT_NAME" + variables.node, containerPort: PORT, protocol: "TCP"}},
  JSONPatch{op: "add", path: variables.at + "/args/-", value: "--include"},
  JSONPatch{op: "add", path: variables.at + "/args/-", value: "PATH/FILES"}
]
`)
}
