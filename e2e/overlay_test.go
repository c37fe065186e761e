package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// Where the policy puts the overlay in a pod.
const (
	overlay     = "valkey-announce"
	overlayPath = "/valkey-announce"
)

// podOf is a pod as the operator labels it.
func podOf(cluster string, shard, node int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "probe",
			Labels: map[string]string{
				"app.kubernetes.io/component": "valkey-node",
				"valkey.io/cluster":           cluster,
				"valkey.io/shard-index":       fmt.Sprint(shard),
				"valkey.io/node-index":        fmt.Sprint(node),
			},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "server", Image: "i"}}},
	}
}

// unlabelled is the same pod, but no Valkey node.
func unlabelled(pod *corev1.Pod) *corev1.Pod {
	other := pod.DeepCopy()
	other.Labels = nil
	return other
}

// dryRun has the API server admit a pod without creating it. The name of the
// token's volume is random, and made the same for all.
func dryRun(b *bed.Bed, pod *corev1.Pod) *corev1.Pod {
	b.T.Helper()
	namespace := pod.Namespace
	if namespace == "" {
		namespace = b.Namespace
	}
	got, err := b.Kube().CoreV1().Pods(namespace).Create(b.T.Context(), pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		b.T.Fatal(err)
	}
	const token = "kube-api-access-"
	for i, v := range got.Spec.Volumes {
		if strings.HasPrefix(v.Name, token) {
			got.Spec.Volumes[i].Name = token
		}
	}
	for _, c := range slices.Concat(got.Spec.Containers, got.Spec.InitContainers) {
		for i, m := range c.VolumeMounts {
			if strings.HasPrefix(m.Name, token) {
				c.VolumeMounts[i].Name = token
			}
		}
	}
	return got
}

// withOverlay is what the policy is to make of podOf(clusterName, 2, 1).
func withOverlay(pod *corev1.Pod) *corev1.Pod {
	source := func(name string) corev1.VolumeProjection {
		return corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{
			LocalObjectReference: corev1.LocalObjectReference{Name: "valkey-" + clusterName + "-" + name},
			Optional:             new(true),
		}}
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: overlay, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{
			Sources:     []corev1.VolumeProjection{source("announce"), source("external-endpoints")},
			DefaultMode: new(int32(0o644)),
		},
	}})
	i := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == "server" })
	server := &pod.Spec.Containers[i]
	server.Args = append(server.Args, "--include", overlayPath+"/2-1.*.conf")
	server.VolumeMounts = append(server.VolumeMounts, corev1.VolumeMount{Name: overlay, MountPath: overlayPath, ReadOnly: true})
	server.Ports = append(server.Ports, corev1.ContainerPort{Name: "vk-n1", ContainerPort: 6379, Protocol: corev1.ProtocolTCP})
	return pod
}

// inForce waits until the API server applies a fresh policy.
func inForce(b *bed.Bed) {
	b.T.Helper()
	b.Eventually("the policy to be in force", func() error {
		if !hasOverlay(dryRun(b, podOf(clusterName, 0, 0))) {
			return errors.New("it changes no pod yet")
		}
		return nil
	})
}

func hasOverlay(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == overlay })
}

// carriesOverlay reads from every pod that it has its own port, once, its mount
// and its argument.
func carriesOverlay(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	for _, n := range c.Nodes() {
		pod := c.WaitReady(n, nil)
		var ports, mounts, args []string
		for _, container := range pod.Spec.Containers {
			for _, p := range container.Ports {
				if strings.HasPrefix(p.Name, "vk-n") {
					ports = append(ports, container.Name+" "+p.Name)
				}
			}
			for _, m := range container.VolumeMounts {
				if m.Name == overlay {
					mounts = append(mounts, container.Name)
				}
			}
			args = append(args, container.Args...)
		}
		include := fmt.Sprintf("%s/%d-%d.*.conf", overlayPath, n.Shard, n.Index)
		if !slices.Equal(ports, []string{"server " + portName(n.Index)}) || !slices.Equal(mounts, []string{"server"}) ||
			!slices.Equal(args, []string{"--include", include}) {
			b.T.Errorf("%s has ports %v, mounts in %v, arguments %v", pod.Name, ports, mounts, args)
		}
	}
}

// kinds picks the documents of these kinds from a stream.
func kinds(t testing.TB, manifests string, wanted ...string) string {
	t.Helper()
	var picked []string
	for document := range strings.SplitSeq(manifests, "\n---\n") {
		objects, err := bed.Decode(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			if slices.Contains(wanted, o.GetKind()) {
				picked = append(picked, document)
			}
		}
	}
	return strings.Join(picked, "\n---\n")
}
