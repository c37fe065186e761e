package e2e

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// waveDelay is how long Argo CD waits after each wave but the last
// (ARGOCD_SYNC_WAVE_DELAY).
const waveDelay = 2 * time.Second

// argoSync is no Argo CD, which the testbed does not have: it does by itself what
// Argo CD documents for the annotations that are rendered, and no more. The objects
// without hook are applied wave by wave, server-side as examples/argocd asks. The
// PostSync hooks follow: one that is left from before is deleted first
// (BeforeHookCreation, the default), the sync succeeds when the hook does, and then
// the hook is deleted (HookSucceeded). It returns what the Job logged. Meanwhile is
// done while the Job runs.
func argoSync(d deployment, meanwhile func()) (log string) {
	b := d.b
	b.T.Helper()
	objects, err := bed.Decode(d.build())
	if err != nil {
		b.T.Fatal(err)
	}
	waves := map[int][]*unstructured.Unstructured{}
	var hooks []*unstructured.Unstructured
	for _, o := range objects {
		switch hook := argoAnnotation(o, "hook"); hook {
		case "PostSync":
			hooks = append(hooks, o)
		case "":
			wave, err := strconv.Atoi(cmp.Or(argoAnnotation(o, "sync-wave"), "0"))
			if err != nil {
				b.T.Fatal(err)
			}
			waves[wave] = append(waves[wave], o)
		default:
			b.T.Fatalf("%s %s is a hook of another kind: %s", o.GetKind(), o.GetName(), hook)
		}
	}
	if len(hooks) != 1 || hooks[0].GetKind() != "Job" {
		b.T.Fatalf("the PostSync hooks are %v, not the Job", hooks)
	}
	for i, wave := range slices.Sorted(maps.Keys(waves)) {
		if i > 0 {
			time.Sleep(waveDelay)
		}
		argoApply(b, waves[wave]...)
	}

	job := hooks[0]
	deleted := strings.Split(cmp.Or(argoAnnotation(job, "hook-delete-policy"), "BeforeHookCreation"), ",")
	if slices.Contains(deleted, "BeforeHookCreation") {
		b.Kubectl("", "delete", "job", job.GetName(), "--ignore-not-found", "--cascade=foreground")
	}
	argoApply(b, job)
	meanwhile()
	log = jobEnds(b, d.build())
	if slices.Contains(deleted, "HookSucceeded") {
		b.Kubectl("", "delete", "job", job.GetName(), "--cascade=foreground")
	}
	return log
}

func argoAnnotation(o *unstructured.Unstructured, name string) string {
	return o.GetAnnotations()["argocd.argoproj.io/"+name]
}

func argoApply(b *bed.Bed, objects ...*unstructured.Unstructured) {
	b.T.Helper()
	var text strings.Builder
	for _, o := range objects {
		one, err := o.MarshalJSON()
		if err != nil {
			b.T.Fatal(err)
		}
		text.Write(one)
		text.WriteString("---\n")
	}
	b.Kubectl(text.String(), "apply", "--server-side", "--field-manager", "argocd-controller", "--force-conflicts", "-f", "-")
}

// A change is reverted, and a sync in the manner of Argo CD carries that out, and
// leaves no Job.
func TestArgoCDAppliesAChangeTakenBack(t *testing.T) {
	t.Parallel()
	b := start(t)
	d := newDeployment(b)
	var c *operator.Cluster
	sync := func(meanwhile func()) {
		t.Helper()
		log := argoSync(d, meanwhile)
		if !strings.Contains(log, "msg=announced") || !strings.Contains(log, "msg=done") {
			t.Errorf("the Job did nothing:\n%s", log)
		}
		jobs, err := b.Kube().BatchV1().Jobs(b.Namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(jobs.Items) > 0 {
			t.Errorf("synced, there are %d Jobs: %v", len(jobs.Items), err)
		}
	}
	d.render(byHostname(b))
	d.commit("hostname")
	sync(func() {
		inForce(b)
		c = operator.For(b, clusterName)
		c.Up()
	})
	announcesNodePorts(b, c)

	d.render(byIP(b))
	d.commit("ip")
	sync(func() {})
	prefers(b, c, "ip", domain)

	d.revert()
	sync(func() {})
	prefers(b, c, "hostname", domain)
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}
