package gen

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
func (r *podReader) keep(root *yaml.Node) {
	r.each(root, []string{"metadata"}, func(name string, key, value *yaml.Node) {
		switch name {
		case "labels":
			r.labels(value)
		case "annotations":
			r.each(value, nil, func(name string, key, _ *yaml.Node) {
				for _, message := range validation.IsQualifiedName(strings.ToLower(name)) {
					r.problem(key, "metadata.annotations."+name, "%s", message)
				}
			})
		default:
			r.problem(key, "metadata."+name, "is not the patch's: labels and annotations are")
		}
	})
	r.each(root, []string{"spec"}, func(name string, key, value *yaml.Node) {
		path := "spec." + name
		switch name {
		case "serviceAccountName", "serviceAccount", "automountServiceAccountToken", "restartPolicy", "activeDeadlineSeconds", "ephemeralContainers":
			r.problem(key, path, "is the Job's own: it does not work otherwise")
		case "nodeSelector":
			r.each(value, nil, func(name string, key, value *yaml.Node) {
				r.label(name, key, value, path+"."+name)
			})
		case "tolerations":
			r.tolerations(value)
		case "volumes":
			r.named(value, path, func(name string, n *yaml.Node, path string) {
				if slices.Contains([]string{"plan", "password", "ca", "certificate"}, name) {
					r.problem(n, path, "has the name of a volume of the Job's own")
				}
			})
		case "initContainers":
			r.named(value, path, func(name string, n *yaml.Node, path string) {
				if name == readbackContainer {
					r.problem(n, path, "has the name of the Job's own container")
				}
			})
		case "containers":
			r.named(value, path, func(name string, n *yaml.Node, path string) {
				if name != readbackContainer {
					r.problem(n, path, "must have the name %s: another container would keep the Job from ending; a sidecar belongs under initContainers, with restartPolicy: Always", readbackContainer)
					return
				}
				r.container(n, path)
			})
		}
	})
}

// labels refuses those by which others select, and what is no label.
func (r *podReader) labels(n *yaml.Node) {
	own := commonLabels()
	r.each(n, nil, func(name string, key, value *yaml.Node) {
		path := "metadata.labels." + name
		_, ours := own[name]
		prefix, _, _ := strings.Cut(name, "/")
		switch {
		case prefix == "valkey.io":
			r.problem(key, path, "is the operator's: its Services and its PodDisruptionBudget would take the Job's pod for a node")
		case ours || name == readbackLabel || prefix == "batch.kubernetes.io" || name == "job-name" || name == "controller-uid":
			r.problem(key, path, "is the Job's own")
		default:
			r.label(name, key, value, path)
		}
	})
}

// label checks a label, or what is to match one.
func (r *podReader) label(name string, key, value *yaml.Node, path string) {
	for _, e := range metav1validation.ValidateLabels(map[string]string{name: value.Value}, field.NewPath("labels")) {
		r.problem(key, path, "%s", e.Detail)
	}
}

// container checks the Job's own container.
func (r *podReader) container(n *yaml.Node, path string) {
	r.each(n, nil, func(name string, key, value *yaml.Node) {
		at := path + "." + name
		switch name {
		case "name", "resources", "envFrom", "securityContext", "imagePullPolicy":
		case "env":
			r.named(value, at, func(name string, n *yaml.Node, path string) {
				if name == jobNameVariable {
					r.problem(n, path, "is the Job's own")
				}
			})
		case "volumeMounts":
			for i, mount := range value.Content {
				r.each(mount, nil, func(name string, _, value *yaml.Node) {
					if name == "mountPath" && overlaps(value.Value) {
						r.problem(value, at+"["+strconv.Itoa(i)+"].mountPath", "is where the Job's own files are")
					}
				})
			}
		case "image":
			r.problem(key, at, "is the flag's: --readback-image")
		default:
			r.problem(key, at, "is not the patch's: resources, env, envFrom, volumeMounts, securityContext and imagePullPolicy are")
		}
	})
}

// overlaps reports whether a mount would hide the Job's files, or be among them.
func overlaps(path string) bool {
	path = strings.TrimSuffix(path, "/") + "/"
	return strings.HasPrefix(path, filesDir+"/") || strings.HasPrefix(filesDir+"/", path)
}

// each goes through the members of the object at a path below a node.
func (r *podReader) each(n *yaml.Node, path []string, do func(name string, key, value *yaml.Node)) {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		switch key, value := n.Content[i], n.Content[i+1]; {
		case len(path) == 0:
			do(key.Value, key, value)
		case key.Value == path[0]:
			r.each(value, path[1:], do)
		}
	}
}

// named goes through a list of objects with names.
func (r *podReader) named(n *yaml.Node, path string, do func(name string, n *yaml.Node, path string)) {
	for i, item := range n.Content {
		name, at := "", path+"["+strconv.Itoa(i)+"]"
		r.each(item, nil, func(key string, _, value *yaml.Node) {
			if key == "name" {
				name = value.Value
			}
		})
		if name == "" && item.Kind == yaml.MappingNode {
			r.problem(item, at, "has no name")
			continue
		}
		do(name, item, at)
	}
}
