package podpatch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
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
func (r *reader) value(n *yaml.Node, path string) {
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
func (r *reader) tolerations(n *yaml.Node) {
	for i, item := range n.Content {
		path, has := fmt.Sprintf("spec.tolerations[%d]", i), map[string]string{}
		r.members(item, nil, func(name string, _, value *yaml.Node) { has[name] = value.Value })
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
