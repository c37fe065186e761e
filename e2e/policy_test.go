package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestPolicyMutatesPodsOfAnyShape asks the API server what it would make of a
// pod: each gets the overlay once, and nothing else changes.
func TestPolicyMutatesPodsOfAnyShape(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(product.Render(t, input(b, 3, hostnames, "")))
	inForce(b)

	server := func(c *corev1.Container) { c.Name = "server" }
	for name, shape := range map[string]func(*corev1.Pod){
		"bare": func(*corev1.Pod) {},
		"no service account token": func(p *corev1.Pod) {
			p.Spec.AutomountServiceAccountToken = new(false)
		},
		"args": func(p *corev1.Pod) {
			p.Spec.Containers[0].Args = []string{"--maxmemory", "$(LIMIT)", `quo"ted`}
		},
		"ports": func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{
				{Name: "client", ContainerPort: 6379}, {Name: "vk-net", ContainerPort: 7000},
			}
		},
		"volumes and mounts": func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{Name: "data"}}
			p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}}
		},
		"volumes without mounts": func(p *corev1.Pod) {
			p.Spec.AutomountServiceAccountToken = new(false)
			p.Spec.Volumes = []corev1.Volume{{Name: "data"}}
		},
		"sidecar after": func(p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "metrics-exporter", Image: "i"})
		},
		"sidecar before": func(p *corev1.Pod) {
			p.Spec.Containers = append([]corev1.Container{{Name: "metrics-exporter", Image: "i"}}, p.Spec.Containers...)
		},
		"read-only root": func(p *corev1.Pod) {
			p.Spec.Containers[0].SecurityContext = &corev1.SecurityContext{ReadOnlyRootFilesystem: new(true)}
		},
		"init container": func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{Name: "server-init", Image: "i"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			pod := podOf(clusterName, 2, 1)
			server(&pod.Spec.Containers[0])
			shape(pod)
			want := withOverlay(dryRun(b, unlabelled(pod)))
			got := dryRun(b, pod)
			if diff := cmp.Diff(want.Spec, got.Spec); diff != "" {
				t.Errorf("the API server made another pod of it (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPolicyLeavesOtherPodsAlone: of another cluster, of another namespace,
// without what the policy needs, or with the overlay already.
func TestPolicyLeavesOtherPodsAlone(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(product.Render(t, input(b, 3, hostnames, "")))
	inForce(b)
	elsewhere := b.Namespace + "-elsewhere"
	b.CreateNamespace(elsewhere, nil)

	for name, change := range map[string]func(*corev1.Pod){
		"another cluster":   func(p *corev1.Pod) { p.Labels["valkey.io/cluster"] = clusterName + "-2" },
		"another namespace": func(p *corev1.Pod) { p.Namespace = elsewhere },
		"another component": func(p *corev1.Pod) { p.Labels["app.kubernetes.io/component"] = "external-access" },
		"no node index":     func(p *corev1.Pod) { delete(p.Labels, "valkey.io/node-index") },
		"no server":         func(p *corev1.Pod) { p.Spec.Containers[0].Name = "redis" },
		"the port already": func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{Name: "vk-n1", ContainerPort: 6379}}
		},
		"the volume already": func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{Name: overlay}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			pod := podOf(clusterName, 2, 1)
			change(pod)
			if diff := cmp.Diff(dryRun(b, unlabelled(pod)).Spec, dryRun(b, pod).Spec); diff != "" {
				t.Errorf("the policy changed the pod:\n%s", diff)
			}
		})
	}
}

// TestPodsStartWithoutTheConfigMaps: a database must not be kept from starting by
// its announcement. And a policy that was deleted works as before when it is
// applied again.
func TestPodsStartWithoutTheConfigMaps(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := product.Render(t, input(b, 1, hostnames, ""))
	b.Apply(manifests)
	inForce(b)
	c := operator.For(b, clusterName)
	prune(b, "configmaps", "valkey-"+clusterName+"-announce")
	prune(b, "configmaps", "valkey-"+clusterName+"-external-endpoints")
	c.Up()
	carriesOverlay(b, c)

	policy := kinds(t, manifests, "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding")
	b.Delete(policy)
	b.Eventually("the policy to be out of force", func() error {
		if hasOverlay(dryRun(b, podOf(clusterName, 0, 0))) {
			return errors.New("it still changes pods")
		}
		return nil
	})
	b.Apply(policy)
	inForce(b)
	c.DeletePod(operator.Node{Shard: 0, Index: 1})
	carriesOverlay(b, c)
}

// TestDeployments: the operator's other kind of workload.
func TestDeployments(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(product.Render(t, input(b, 1, hostnames, "workloadType: Deployment")))
	inForce(b)
	c := operator.For(b, clusterName)
	c.SidecarFirst = true
	c.Up()
	carriesOverlay(b, c)
	eachPortLeadsToItsPod(b, c)
}

// TestEverythingAtOnce applies policy, cluster and Job in the same breath. A policy
// is in force about a second after it was made: pods created sooner go without, and
// the Job puts them right.
func TestEverythingAtOnce(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 3, hostnames, ""))
	operator.Run(b, clusterName)
	b.Apply(manifests)
	log := jobEnds(b, manifests)
	t.Logf("%d of 6 pods were created before the policy was in force", strings.Count(log, "msg=\"evicted"))
	c := operator.For(b, clusterName)
	carriesOverlay(b, c)
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}
