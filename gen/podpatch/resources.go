package podpatch

import (
	"encoding/json"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
)

// resources checks that no container asks for more than its limit, those limits
// included that the Job has without a patch.
func (r *reader) resources(root *yaml.Node, patch json.RawMessage) error {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: r.job.Container, Resources: *r.job.Resources.DeepCopy()}}}}
	if err := Merge(&template, patch); err != nil {
		return err
	}
	for list, containers := range map[string][]corev1.Container{"containers": template.Spec.Containers, "initContainers": template.Spec.InitContainers} {
		r.members(root, []string{"spec"}, func(name string, _, value *yaml.Node) {
			if name != list {
				return
			}
			r.named(value, "spec."+list, func(name string, n *yaml.Node, path string) {
				at := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == name })
				r.members(n, nil, func(field string, key, _ *yaml.Node) {
					if field == "resources" {
						r.withinLimits(key, path+".resources", containers[at].Resources)
					}
				})
			})
		})
	}
	return nil
}

func (r *reader) withinLimits(n *yaml.Node, path string, has corev1.ResourceRequirements) {
	for _, name := range slices.Sorted(maps.Keys(has.Requests)) {
		request := has.Requests[name]
		if limit, ok := has.Limits[name]; ok && request.Cmp(limit) > 0 {
			r.problem(n, path, "asks for %s of %s, more than the limit, %s: set requests and limits together", request.String(), name, limit.String())
		}
	}
}
