package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// Workloads of a user's own, with the overlay as a kustomize Component: built by
// kustomize, applied twice, the Job announces and a client outside reads and
// writes; and the pods are those that the policy makes, but for the port's name.
func TestOverlayAsAPatch(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := t.TempDir()
	cluster := input(b, 3, hostnames, "")
	rendered(b, cluster, "--inject", "patch", "-o", filepath.Join(dir, "external"))
	plain := operator.Plain(b, clusterName, 3, 1)
	writeFile(t, filepath.Join(dir, "workloads.yaml"), plain.Manifests())
	writeFile(t, filepath.Join(dir, "kustomization.yaml"), `
sortOptions: {order: fifo}
resources: [external, workloads.yaml]
components: [external/announce]
`)
	manifests, err := b.Kustomize("build", dir)
	if err != nil {
		t.Fatal(err)
	}
	b.Apply(manifests)
	for _, o := range b.Apply(kinds(t, manifests, "StatefulSet", "Service", "ConfigMap")) {
		text, err := original(manifests, o)
		if err != nil {
			t.Fatal(err)
		}
		if o.GetKind() == "Service" && b.Apply(text)[0].GetResourceVersion() != o.GetResourceVersion() {
			t.Errorf("Service %s changed when it was applied again", o.GetName())
		}
	}
	plain.Form()
	log := jobEnds(b, manifests)
	if !strings.Contains(log, "there is no such ValkeyCluster") {
		t.Errorf("there is no ValkeyCluster, and the Job says:\n%s", log)
	}
	recordsNodePorts(b, plain)
	announcesNodePorts(b, plain)
	eachPortLeadsToItsPod(b, plain)
	resolve(b, 3)
	writeAndRead(b, strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0])

	admitted := start(t)
	admitted.Apply(rendered(admitted, input(admitted, 3, hostnames, ""), "--readback", "none"))
	inForce(admitted)
	byPolicy := operator.For(admitted, clusterName)
	byPolicy.Create()
	for _, n := range plain.Nodes() {
		want, got := specOf(byPolicy.WaitReady(n, nil)), specOf(plain.Pod(n))
		for i := range want.Containers {
			want.Containers[i].Ports = portsBut(want.Containers[i].Ports, "client")
			got.Containers[i].Ports = portsBut(got.Containers[i].Ports, "")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: the policy's pod (-) and the patch's (+):\n%s", n, diff)
		}
	}
}

// specOf is a pod as it was made, without what is random, and without the marker
// that makes an operator roll.
func specOf(p *corev1.Pod) corev1.PodSpec {
	spec := p.Spec
	var volumes []corev1.Volume
	for _, v := range spec.Volumes {
		if !strings.HasPrefix(v.Name, "kube-api-access-") {
			volumes = append(volumes, v)
		}
	}
	spec.Volumes = volumes
	for i := range spec.Containers {
		var mounts []corev1.VolumeMount
		for _, m := range spec.Containers[i].VolumeMounts {
			if !strings.HasPrefix(m.Name, "kube-api-access-") {
				mounts = append(mounts, m)
			}
		}
		spec.Containers[i].VolumeMounts = mounts
		var env []corev1.EnvVar
		for _, e := range spec.Containers[i].Env {
			if e.Name != "VALKEY_EXPOSE" {
				env = append(env, e)
			}
		}
		spec.Containers[i].Env = env
	}
	return spec
}

// portsBut are a container's ports by name, less one.
func portsBut(ports []corev1.ContainerPort, name string) (rest []corev1.ContainerPort) {
	named := map[string]corev1.ContainerPort{}
	for _, p := range ports {
		named[p.Name] = p
	}
	delete(named, name)
	for _, name := range []string{"vk-n0", "vk-n1", "cluster-bus", "metrics"} {
		if p, ok := named[name]; ok {
			rest = append(rest, p)
			delete(named, name)
		}
	}
	for _, p := range named { // none that nobody expects
		rest = append(rest, p)
	}
	return rest
}

// What a patch relies on and does not find, kustomize says; what it is told, it
// keeps.
func TestPatchRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	b := start(t)
	plain := operator.Plain(b, clusterName, 1, 1).Manifests()
	withArgs := strings.ReplaceAll(plain, "- command:", "- args: [--maxmemory, 1gb]\n        command:")
	if withArgs == plain {
		t.Fatalf("no command in\n%s", plain)
	}
	for name, c := range map[string]struct {
		workloads string
		flags     []string
		refused   bool
	}{
		"no arguments":            {plain, nil, false},
		"arguments nobody told":   {withArgs, nil, true},
		"arguments told":          {withArgs, []string{"--workload-arg=--maxmemory", "--workload-arg=1gb"}, false},
		"other arguments told":    {withArgs, []string{"--workload-arg=--maxmemory"}, true},
		"told, but none":          {plain, []string{"--workload-arg=--maxmemory"}, true},
		"another port":            {strings.ReplaceAll(plain, "containerPort: 6379", "containerPort: 7000"), nil, true},
		"names told":              {strings.ReplaceAll(plain, "valkey-orders-0-", "db0-"), []string{"--workload-name=db{shard}-{node}"}, false},
		"Deployments by the name": {strings.ReplaceAll(plain, "kind: StatefulSet", "kind: Deployment"), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			rendered(b, input(b, 1, hostnames, ""), append([]string{"--inject", "patch", "-o", filepath.Join(dir, "external")}, c.flags...)...)
			writeFile(t, filepath.Join(dir, "workloads.yaml"), c.workloads)
			writeFile(t, filepath.Join(dir, "kustomization.yaml"), "resources: [external, workloads.yaml]\ncomponents: [external/announce]\n")
			built, err := b.Kustomize("build", dir)
			if (err != nil) != c.refused {
				t.Fatalf("refused: %v", err)
			}
			for index := range 2 {
				if include := fmt.Sprintf("/valkey-announce/0-%d.*.conf", index); err == nil && strings.Count(built, include) != 1 {
					t.Errorf("%s is there %d times", include, strings.Count(built, include))
				}
			}
			if err == nil && strings.Contains(strings.Join(c.flags, " "), "1gb") && strings.Count(built, "- 1gb\n        - --include") != 2 {
				t.Errorf("the arguments are not kept:\n%s", built)
			}
		})
	}
}
