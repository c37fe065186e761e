package inject

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/manifest"
	"github.com/valkey-expose/valkey-expose/schema"
)

const componentFile = "announce/kustomization.yaml"

func patch() Way {
	return Way{
		Name:      schema.InjectPatch,
		Summary:   "a kustomize Component for workloads without the operator",
		File:      componentFile,
		Component: component,
		Unmanaged: true,
	}
}

// component renders the overlay as a kustomize Component: a JSON6902 patch for
// the StatefulSet or Deployment of each node, which does to its pod template what
// the policy does to a pod.
//
// A patch cannot look around, so it tests what it relies on, and kustomize refuses
// to build what is otherwise: Valkey is the first container and 6379 its first
// port, it has volumes and mounts, and the arguments that the options name, or none. The
// port is renamed: a second entry for it would break server-side apply.
func component(x *plan.Exposed) ([]byte, error) {
	patches := make([]any, 0, len(x.Plan.Nodes))
	for _, node := range x.Plan.Nodes {
		operations, err := workloadPatch(x, node)
		if err != nil {
			return nil, err
		}
		patches = append(patches, map[string]any{
			"target": map[string]any{"kind": "StatefulSet|Deployment", "name": regexp.QuoteMeta(workload(x, node))},
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
func workload(x *plan.Exposed, n schema.Node) string {
	return strings.NewReplacer(
		"{cluster}", x.Plan.Cluster, "{shard}", strconv.Itoa(n.Shard), "{node}", strconv.Itoa(n.Index),
	).Replace(x.Options.WorkloadName)
}

func workloadPatch(x *plan.Exposed, n schema.Node) ([]byte, error) {
	const (
		pod    = "/spec/template/spec"
		server = pod + "/containers/0"
	)
	volume, err := manifest.Fields(&corev1.Volume{Name: overlayVolume, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			optional(plan.AnnounceName(x.Plan.Cluster)), optional(schema.EndpointsName(x.Plan.Cluster)),
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
	if len(x.Options.WorkloadArgs) > 0 {
		had = x.Options.WorkloadArgs
	}
	args := slices.Concat(x.Options.WorkloadArgs, []string{"--include", overlayPath + "/" + schema.FilePattern(strconv.Itoa(n.Shard), strconv.Itoa(n.Index))})
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
