package gen

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/manifest"
	"github.com/valkey-expose/valkey-expose/schema"
)

// WorkloadName is the default of Options.WorkloadName: the operator's own names.
const WorkloadName = "valkey-{cluster}-{shard}-{node}"

// component renders the overlay as a kustomize Component: a JSON6902 patch for
// the StatefulSet or Deployment of each node, which does to its pod template what
// the policy does to a pod.
//
// A patch cannot look around, so it tests what it relies on, and kustomize refuses
// to build what is otherwise: Valkey is the first container and 6379 its first
// port, it has volumes and mounts, and the arguments that were told, or none. The
// port is renamed: a second entry for it would break server-side apply.
func (b *builder) component() ([]byte, error) {
	patches := make([]any, 0, len(b.plan.Nodes))
	for _, node := range b.plan.Nodes {
		operations, err := b.workloadPatch(node)
		if err != nil {
			return nil, err
		}
		patches = append(patches, map[string]any{
			"target": map[string]any{"kind": "StatefulSet|Deployment", "name": regexp.QuoteMeta(b.workload(node))},
			"patch":  string(operations),
		})
	}
	text, err := manifest.Encode(map[string]any{
		"apiVersion": "kustomize.config.k8s.io/v1alpha1",
		"kind":       "Component",
		"patches":    patches,
	})
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", componentFile, err)
	}
	return text, nil
}

// workload is the name of a node's StatefulSet or Deployment.
func (b *builder) workload(n schema.Node) string {
	return strings.NewReplacer(
		"{cluster}", b.cluster.Name, "{shard}", strconv.Itoa(n.Shard), "{node}", strconv.Itoa(n.Index),
	).Replace(b.options.WorkloadName)
}

func (b *builder) workloadPatch(n schema.Node) ([]byte, error) {
	const (
		pod    = "/spec/template/spec"
		server = pod + "/containers/0"
	)
	volume, err := manifest.Fields(&corev1.Volume{Name: overlayVolume, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			optional(announceName(b.cluster.Name)), optional(schema.EndpointsName(b.cluster.Name)),
		}},
	}})
	if err != nil {
		return nil, err
	}
	mount, err := manifest.Fields(&corev1.VolumeMount{Name: overlayVolume, MountPath: overlayPath, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	var had any // null stands for no arguments
	if len(b.options.WorkloadArgs) > 0 {
		had = b.options.WorkloadArgs
	}
	args := slices.Concat(b.options.WorkloadArgs, []string{"--include", fmt.Sprintf("%s/%d-%d.*.conf", overlayPath, n.Shard, n.Index)})
	operation := func(op, path string, value any) map[string]any {
		return map[string]any{"op": op, "path": path, "value": value}
	}
	return manifest.Encode([]any{
		operation("test", server+"/ports/0/containerPort", schema.ClientPort),
		operation("add", server+"/ports/0/name", n.PortName),
		operation("test", server+"/args", had),
		operation("add", server+"/args", args),
		operation("add", server+"/volumeMounts/-", mount),
		operation("add", pod+"/volumes/-", volume),
	})
}

// optional is a ConfigMap that a pod starts without, if need be.
func optional(configMap string) corev1.VolumeProjection {
	return corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{
		LocalObjectReference: corev1.LocalObjectReference{Name: configMap}, Optional: new(true),
	}}
}
