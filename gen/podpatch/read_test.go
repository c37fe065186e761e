package podpatch_test

import (
	"encoding/json"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/objects"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/gen/podpatch"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestPodPatchProblems: each mistake is reported at its place, all of a file in one run.
func TestPodPatchProblems(t *testing.T) {
	for _, test := range []struct{ patch, want string }{
		{"", "pod.yaml: is empty"},
		{"# nothing\n", "pod.yaml: is empty"},
		{"spec: [", "pod.yaml:1: did not find expected node content"},
		{"spec:\n\ttolerations: []\n", "pod.yaml:2: found character that cannot start any token"},
		{"spec: {}\n---\nspec: {}\n", "pod.yaml:2:1: is a second document"},
		{"- spec: {}\n", "pod.yaml:1:1: must be an object"},
		{strings.Repeat("#", 256<<10+1), "pod.yaml: is larger than 256 KiB"},

		// The API's types.
		{"spec:\n  toleration: []\n", "pod.yaml:2:3: spec.toleration: is not a field of PodSpec"},
		{"spec:\n  Tolerations: []\n", "pod.yaml:2:3: spec.Tolerations: is not a field of PodSpec"},
		{"spec:\n  tolerations:\n  - key: a\n  - operator: Exists\n    kye: b\n", "pod.yaml:5:5: spec.tolerations[1].kye: is not a field of Toleration"},
		{"kind: Pod\n", "pod.yaml:1:1: kind: is not a field of PodTemplateSpec"},
		{"spec:\n  tolerations: {}\n", "pod.yaml:2:16: spec.tolerations: must be a list"},
		{"spec:\n  nodeSelector: []\n", "pod.yaml:2:17: spec.nodeSelector: must be an object"},
		{"spec:\n  nodeSelector: {a: true}\n", "pod.yaml:2:21: spec.nodeSelector.a: must be of type string, not bool"},
		{"spec:\n  nodeSelector: {1: a}\n", "pod.yaml:2:18: spec.nodeSelector.1: is not a field of "},
		{"spec:\n  priority: high\n", "pod.yaml:2:13: spec.priority: must be of type int32, not string"},
		{"spec:\n  priority: 1.5\n", "pod.yaml:2:13: spec.priority: must be of type int32, not number 1.5"},
		{"spec:\n  containers:\n  - name: readback\n    resources: {limits: {memory: 1 gig}}\n", "pod.yaml:4:34: spec.containers[0].resources.limits.memory: quantities must match"},
		{"spec:\n  priorityClassName: a\n  priorityClassName: b\n", "pod.yaml:3:3: spec.priorityClassName: is given twice"},
		{"metadata:\n  labels: {a: b c}\n", "pod.yaml:2:12: metadata.labels.a: a valid label must be"},
		{"metadata:\n  labels: {-a: b}\n", "pod.yaml:2:12: metadata.labels.-a: name part must"},
		{"metadata:\n  annotations: {-a: b}\n", "pod.yaml:2:17: metadata.annotations.-a: name part must"},
		{"metadata:\n  annotations: {a: '${b}'}\n", "pod.yaml:2:20: metadata.annotations.a: holds ${"},
		{"metadata: &m {}\n", "pod.yaml:1:11: metadata: is an anchor"},

		// What the API server refuses beside.
		{"spec:\n  priorityClassName: a b\n", "pod.yaml:2:22: spec.priorityClassName: a lowercase RFC 1123 subdomain"},
		{"spec:\n  imagePullSecrets: [{name: a}, {name: B}]\n", "pod.yaml:2:40: spec.imagePullSecrets[1].name: a lowercase"},
		{"spec:\n  volumes: [{name: a.b, emptyDir: {}}]\n", "pod.yaml:2:20: spec.volumes[0].name: "},
		{"spec:\n  dnsPolicy: Foo\n", "pod.yaml:2:14: spec.dnsPolicy: must be ClusterFirst, "},
		{"spec:\n  terminationGracePeriodSeconds: -1\n", "spec.terminationGracePeriodSeconds: must not be negative"},
		{"spec:\n  nodeSelector: {a: b c}\n", "pod.yaml:2:18: spec.nodeSelector.a: a valid label must be"},
		{"spec:\n  tolerations:\n  - {key: a, operator: Is}\n", "pod.yaml:3:24: spec.tolerations[0].operator: must be Exists, "},
		{"spec:\n  tolerations:\n  - {key: a, effect: No}\n", "spec.tolerations[0].effect: must be NoSchedule, "},
		{"spec:\n  tolerations:\n  - {effect: NoSchedule}\n", "pod.yaml:3:5: spec.tolerations[0]: must have a key, or"},
		{"spec:\n  tolerations:\n  - {key: a, operator: Exists, value: b}\n", "spec.tolerations[0]: must have no value"},
		{"spec:\n  tolerations:\n  - {key: a, tolerationSeconds: 5}\n", "spec.tolerations[0]: must have the effect NoExecute"},
		{"spec:\n  containers: [{name: readback, imagePullPolicy: always}]\n", "spec.containers[0].imagePullPolicy: must be Always, "},
		{"spec:\n  containers: [{name: readback, resources: {requests: {cpu: 1}}}]\n",
			"pod.yaml:2:33: spec.containers[0].resources: asks for 1 of cpu, more than the limit, 500m"},
		{"spec:\n  containers: [{name: readback, resources: {limits: {memory: 16Mi}}}]\n", "asks for 32Mi of memory, more than the limit, 16Mi"},
		{"spec:\n  initContainers: [{name: a, image: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]\n", "spec.initContainers[0].resources: asks for 2 of cpu"},

		// What the Job needs.
		{"spec: null\n", "pod.yaml:1:7: spec: is null"},
		{"spec:\n  volumes: ~\n", "pod.yaml:2:12: spec.volumes: is null"},
		{"spec:\n  $patch: delete\n", "pod.yaml:2:3: spec.$patch: is a directive"},
		{"spec:\n  volumes:\n  - {name: other, $patch: delete}\n", "spec.volumes[0].$patch: is a directive"},
		{"spec:\n  volumes:\n  - {name: password, emptyDir: {}}\n", "pod.yaml:3:5: spec.volumes[0]: has the name of a volume of the Job's own"},
		{"spec:\n  serviceAccountName: default\n", "pod.yaml:2:3: spec.serviceAccountName: is the Job's own"},
		{"spec:\n  automountServiceAccountToken: false\n", "pod.yaml:2:3: spec.automountServiceAccountToken: is the Job's own"},
		{"spec:\n  restartPolicy: OnFailure\n", "pod.yaml:2:3: spec.restartPolicy: is the Job's own"},
		{"spec:\n  containers:\n  - {name: readback, args: []}\n", "pod.yaml:3:22: spec.containers[0].args: cannot be patched"},
		{"spec:\n  containers:\n  - {name: readback, image: i}\n", "pod.yaml:3:22: spec.containers[0].image: cannot be patched: --readback-image sets it"},
		{"spec:\n  containers:\n  - {name: readback, env: [{name: JOB_NAME, value: a}]}\n", "spec.containers[0].env[0]: is the Job's own"},
		{"spec:\n  containers:\n  - {name: readback, volumeMounts: [{name: a, mountPath: /etc/valkey-expose/plan}]}\n", "volumeMounts[0].mountPath: is where the Job's own files are"},
		{"spec:\n  containers:\n  - {name: readback, volumeMounts: [{name: a, mountPath: /etc/}]}\n", "volumeMounts[0].mountPath: is where the Job's own files are"},
		{"spec:\n  containers:\n  - {name: proxy}\n", "pod.yaml:3:5: spec.containers[0]: must have the name readback"},
		{"spec:\n  containers:\n  - {resources: {}}\n", "pod.yaml:3:5: spec.containers[0]: has no name"},
		{"spec:\n  initContainers:\n  - {name: readback}\n", "pod.yaml:3:5: spec.initContainers[0]: has the name of the Job's own container"},
		{"metadata:\n  name: a\n", "pod.yaml:2:3: metadata.name: cannot be patched"},
		{"metadata:\n  labels: {valkey.io/cluster: orders}\n", "pod.yaml:2:12: metadata.labels.valkey.io/cluster: is the operator's"},
		{"metadata:\n  labels: {app.kubernetes.io/component: valkey-node}\n", "metadata.labels.app.kubernetes.io/component: is the Job's own"},
		{"metadata:\n  labels: {valkey-readback: other}\n", "metadata.labels.valkey-readback: is the Job's own"},
		{"metadata:\n  labels: {batch.kubernetes.io/job-name: other}\n", "metadata.labels.batch.kubernetes.io/job-name: is the Job's own"},
	} {
		patch, problems := podpatch.Read("pod.yaml", []byte(test.patch), objects.OwnInPod())
		if len(problems) != 1 || patch != nil || !strings.Contains(problems[0].String(), test.want) {
			t.Errorf("%.80q: want %q, got %v", test.patch, test.want, problems)
		}
	}
	_, problems := podpatch.Read("pod.yaml", []byte("spec:\n  restartPolicy: Never\n  a: 1\n  volumes: [{name: ca}, {nam: b}]\n"), objects.OwnInPod())
	if len(problems) != 5 {
		t.Errorf("5 mistakes, reported: %v", problems)
	}
}

// TestPodPatchIsMerged: as the API's types have it, and what was there stays.
func TestPodPatchIsMerged(t *testing.T) {
	patch, problems := podpatch.Read("pod.json", []byte("{\n\t\"spec\": {\n\t\t\"initContainers\": [{\"name\": \"mesh\", \"image\": \"m\", \"restartPolicy\": \"Always\"}],\n"+
		"\t\t\"securityContext\": {\"fsGroup\": 2000, \"seccompProfile\": {\"type\": \"Localhost\", \"localhostProfile\": \"p\"}},\n"+
		"\t\t\"dnsConfig\": {\"options\": [{\"name\": \"ndots\", \"value\": \"1\"}]},\n\t\t\"terminationGracePeriodSeconds\": 5,\n"+
		"\t\t\"containers\": [{\"name\": \"readback\", \"securityContext\": {\"runAsUser\": 1}, \"resources\": {\"requests\": {\"cpu\": 1}, \"limits\": {\"cpu\": 2}}}]\n\t}\n}\n"), objects.OwnInPod())
	if problems != nil {
		t.Fatal(problems)
	}
	c := &schema.Cluster{Name: "c", Namespace: "n", Shards: 1, ExternalAccess: &schema.ExternalAccess{Enabled: true}}
	job := func(patch json.RawMessage) *batchv1.Job {
		o := plan.Defaults()
		o.ReadbackImage, o.ReadbackPod = "i", patch
		job, err := objects.Job(plan.Of(c, o))
		if err != nil {
			t.Fatal(err)
		}
		return job
	}
	plain, patched := job(nil), job(patch)
	if patched.Name == plain.Name {
		t.Errorf("%s has another template and the same name", patched.Name)
	}
	was, is := plain.Spec.Template.Spec, patched.Spec.Template.Spec
	container := is.Containers[0]
	for what, ok := range map[string]bool{
		"the sidecar is there":              len(is.InitContainers) == 1 && *is.InitContainers[0].RestartPolicy == "Always",
		"one container":                     len(is.Containers) == 1,
		"fsGroup beside runAsNonRoot":       *is.SecurityContext.FSGroup == 2000 && *is.SecurityContext.RunAsNonRoot,
		"a field of an object is replaced":  is.SecurityContext.SeccompProfile.Type == corev1.SeccompProfileTypeLocalhost,
		"a number is replaced":              *is.TerminationGracePeriodSeconds == 5,
		"what was not there comes":          is.DNSConfig.Options[0].Name == "ndots",
		"runAsUser beside what else is set": *container.SecurityContext.RunAsUser == 1 && *container.SecurityContext.ReadOnlyRootFilesystem,
		"one request replaced, one kept":    container.Resources.Requests.Cpu().String() == "1" && container.Resources.Requests.Memory().String() == "32Mi",
		"arguments, mounts and volumes":     len(container.Args) == len(was.Containers[0].Args) && len(container.VolumeMounts) == 2 && len(is.Volumes) == 2,
		"the account":                       is.ServiceAccountName == "valkey-c-readback",
	} {
		if !ok {
			t.Errorf("not so: %s\n%+v", what, is)
		}
	}
}
