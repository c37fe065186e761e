package gen

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// podValues are the checks that the API server makes of fields that the API's types
// let be any text or number. It would refuse the Job, after all else is applied.
var podValues = map[string]func(string) []string{
	"spec.priorityClassName":                validation.IsDNS1123Subdomain,
	"spec.runtimeClassName":                 validation.IsDNS1123Subdomain,
	"spec.imagePullSecrets[].name":          validation.IsDNS1123Subdomain,
	"spec.volumes[].name":                   validation.IsDNS1123Label,
	"spec.initContainers[].name":            validation.IsDNS1123Label,
	"spec.containers[].imagePullPolicy":     among("Always", "IfNotPresent", "Never"),
	"spec.initContainers[].imagePullPolicy": among("Always", "IfNotPresent", "Never"),
	"spec.dnsPolicy":                        among("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
	"spec.tolerations[].key":                validation.IsQualifiedName,
	"spec.tolerations[].operator":           among("Exists", "Equal", "Lt", "Gt"),
	"spec.tolerations[].effect":             among("NoSchedule", "PreferNoSchedule", "NoExecute"),
	"spec.terminationGracePeriodSeconds":    notNegative,
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// value checks a field that has its type.
func (r *podReader) value(n *yaml.Node, path string) {
	if check := podValues[listIndex.ReplaceAllString(path, "[]")]; check != nil {
		for _, message := range check(n.Value) {
			r.problem(n, path, "%s", message)
		}
	}
}

func among(values ...string) func(string) []string {
	return func(value string) []string {
		if value == "" || slices.Contains(values, value) {
			return nil
		}
		return []string{"must be " + strings.Join(values, ", ") + ", not " + value}
	}
}

func notNegative(value string) []string {
	if strings.HasPrefix(value, "-") {
		return []string{"must not be negative"}
	}
	return nil
}

// tolerations checks what the API server does of each as a whole.
func (r *podReader) tolerations(n *yaml.Node) {
	for i, item := range n.Content {
		path, has := fmt.Sprintf("spec.tolerations[%d]", i), map[string]string{}
		r.each(item, nil, func(name string, _, value *yaml.Node) { has[name] = value.Value })
		_, limited := has["tolerationSeconds"]
		switch {
		case item.Kind != yaml.MappingNode:
		case has["key"] == "" && has["operator"] != "Exists":
			r.problem(item, path, "must have a key, or the operator Exists")
		case has["value"] != "" && has["operator"] == "Exists":
			r.problem(item, path, "must have no value with the operator Exists")
		case limited && has["effect"] != "NoExecute":
			r.problem(item, path, "must have the effect NoExecute with tolerationSeconds")
		}
	}
}

// resources checks that no container asks for more than its limit, those limits
// included that the Job has without a patch.
func (r *podReader) resources(root *yaml.Node, patch json.RawMessage) error {
	b := &builder{options: Options{ReadbackPod: patch}}
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: readbackContainer, Resources: readbackResources()}}}}
	if err := b.patched(&template); err != nil {
		return err
	}
	for list, containers := range map[string][]corev1.Container{"containers": template.Spec.Containers, "initContainers": template.Spec.InitContainers} {
		r.each(root, []string{"spec"}, func(name string, _, value *yaml.Node) {
			if name != list {
				return
			}
			r.named(value, "spec."+list, func(name string, n *yaml.Node, path string) {
				at := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == name })
				r.each(n, nil, func(field string, key, _ *yaml.Node) {
					if field == "resources" {
						r.withinLimits(key, path+".resources", containers[at].Resources)
					}
				})
			})
		})
	}
	return nil
}

func (r *podReader) withinLimits(n *yaml.Node, path string, has corev1.ResourceRequirements) {
	for _, name := range slices.Sorted(maps.Keys(has.Requests)) {
		request := has.Requests[name]
		if limit, ok := has.Limits[name]; ok && request.Cmp(limit) > 0 {
			r.problem(n, path, "asks for %s of %s, more than the limit, %s: set requests and limits together", request.String(), name, limit.String())
		}
	}
}
