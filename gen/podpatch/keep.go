package podpatch

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// keep reports what a patch would take from the Job: all that is not named here as
// fixed, it may set.
func (r *reader) keep(root *yaml.Node) {
	r.members(root, []string{"metadata"}, func(name string, key, value *yaml.Node) {
		switch name {
		case "labels":
			r.labels(value)
		case "annotations":
			r.members(value, nil, func(name string, key, _ *yaml.Node) {
				for _, message := range validation.IsQualifiedName(strings.ToLower(name)) {
					r.problem(key, "metadata.annotations."+name, "%s", message)
				}
			})
		default:
			r.problem(key, "metadata."+name, "cannot be patched: only labels and annotations can")
		}
	})
	r.members(root, []string{"spec"}, func(name string, key, value *yaml.Node) {
		path := "spec." + name
		switch name {
		case "serviceAccountName", "serviceAccount", "automountServiceAccountToken", "restartPolicy", "activeDeadlineSeconds", "ephemeralContainers":
			r.problem(key, path, "is the Job's own: it does not work otherwise")
		case "nodeSelector":
			r.members(value, nil, func(name string, key, value *yaml.Node) {
				r.label(name, key, value, path+"."+name)
			})
		case "tolerations":
			r.tolerations(value)
		case "volumes":
			r.named(value, path, func(name string, n *yaml.Node, path string) {
				if slices.Contains(r.job.Volumes, name) {
					r.problem(n, path, "has the name of a volume of the Job's own")
				}
			})
		case "initContainers":
			r.named(value, path, func(name string, n *yaml.Node, path string) {
				if name == r.job.Container {
					r.problem(n, path, "has the name of the Job's own container")
				}
			})
		case "containers":
			r.named(value, path, func(name string, n *yaml.Node, path string) {
				if name != r.job.Container {
					r.problem(n, path, "must have the name %s: another container would keep the Job from ending; a sidecar belongs under initContainers, with restartPolicy: Always", r.job.Container)
					return
				}
				r.container(n, path)
			})
		}
	})
}

// labels refuses those by which others select, and what is no label.
func (r *reader) labels(n *yaml.Node) {
	r.members(n, nil, func(name string, key, value *yaml.Node) {
		path := "metadata.labels." + name
		prefix, _, _ := strings.Cut(name, "/")
		switch {
		case prefix == "valkey.io":
			r.problem(key, path, "is the operator's: its Services and its PodDisruptionBudget would take the Job's pod for a node")
		case slices.Contains(r.job.Labels, name) || prefix == "batch.kubernetes.io" || name == "job-name" || name == "controller-uid":
			r.problem(key, path, "is the Job's own")
		default:
			r.label(name, key, value, path)
		}
	})
}

// label checks a label, or what is to match one.
func (r *reader) label(name string, key, value *yaml.Node, path string) {
	for _, e := range metav1validation.ValidateLabels(map[string]string{name: value.Value}, field.NewPath("labels")) {
		r.problem(key, path, "%s", e.Detail)
	}
}

// container checks the Job's own container.
func (r *reader) container(n *yaml.Node, path string) {
	r.members(n, nil, func(name string, key, value *yaml.Node) {
		at := path + "." + name
		switch name {
		case "name", "resources", "envFrom", "securityContext", "imagePullPolicy":
		case "env":
			r.named(value, at, func(name string, n *yaml.Node, path string) {
				if slices.Contains(r.job.Variables, name) {
					r.problem(n, path, "is the Job's own")
				}
			})
		case "volumeMounts":
			for i, mount := range value.Content {
				r.members(mount, nil, func(name string, _, value *yaml.Node) {
					if name == "mountPath" && overlap(value.Value, r.job.Directory) {
						r.problem(value, at+"["+strconv.Itoa(i)+"].mountPath", "is where the Job's own files are")
					}
				})
			}
		case "image":
			r.problem(key, at, "cannot be patched: --readback-image sets it")
		default:
			r.problem(key, at, "cannot be patched: only resources, env, envFrom, volumeMounts, securityContext and imagePullPolicy can")
		}
	})
}

// overlap reports whether one of two directories is the other, or below it.
func overlap(a, b string) bool {
	a, b = strings.TrimSuffix(a, "/")+"/", strings.TrimSuffix(b, "/")+"/"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}
