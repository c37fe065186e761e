package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

var policyKinds = []string{"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"}

// early brings a cluster up whose pods were all created before the policy was in
// force, which it is by now.
func early(b *bed.Bed, shards int) (manifests string, c *operator.Cluster) {
	b.T.Helper()
	manifests = rendered(b, input(b, shards, hostnames, ""))
	first := without(b.T, manifests, "Job")
	for _, kind := range policyKinds {
		first = without(b.T, first, kind)
	}
	b.Apply(first)
	c = operator.For(b, clusterName)
	c.Up()
	b.Apply(kinds(b.T, manifests, policyKinds...))
	inForce(b)
	return manifests, c
}

// podsOf are the cluster's pods: one that was evicted has a successor of the same
// name.
func podsOf(c *operator.Cluster) map[string]types.UID {
	pods := map[string]types.UID{}
	for _, n := range c.Nodes() {
		p := c.Pod(n)
		pods[p.Name] = p.UID
	}
	return pods
}

// notEvicted runs the program to a deadline that comes soon: it ends with a reason,
// and no pod is evicted.
func notEvicted(b *bed.Bed, c *operator.Cluster, manifests, says string) {
	b.T.Helper()
	before := podsOf(c)
	runReadback(b, manifests, "--timeout", "7s").must(b, 124, says)
	if after := podsOf(c); !maps.Equal(after, before) {
		b.T.Errorf("pods were evicted: there were %v, and are %v", before, after)
	}
}

// putRight is the end of all: every pod carries the overlay, every node announces
// its port, and the key is kept.
func putRight(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	carriesOverlay(b, c)
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
	if kept := c.Valkey(c.Primary(0), "GET", "{"+keyOfShard0+"}"); kept != "kept" {
		b.T.Errorf("the key holds %q", kept)
	}
}

// keep sets a key of shard 0, on its replica too.
func keep(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	primary := c.Primary(0)
	c.Valkey(primary, "SET", "{"+keyOfShard0+"}", "kept")
	b.Eventually("the replica to have the key", func() error {
		if n := c.Valkey(primary, "WAIT", "1", "1000"); n != "1" {
			return errors.New("it has not")
		}
		return nil
	})
}

// A replica that has lost its primary: nothing is evicted until it follows again.
func TestEvictionWaitsForAReplicaOutOfSync(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests, c := early(b, 1)
	keep(b, c)
	primary := c.Primary(0)
	replicate := func(onOrOff string) {
		c.Valkey(primary, "ACL", "SETUSER", "_replication", onOrOff)
		c.Valkey(primary, "CLIENT", "KILL", "TYPE", "replica")
	}
	replicate("off")
	const reason = "node orders-0-1 to follow its primary"
	notEvicted(b, c, manifests, "pod valkey-orders-0-0-0 was created before the policy was in force; before it is evicted, it waits for "+reason)
	runReadbackAt(b, manifests, `for="`+reason+`"`, func(*os.Process) { replicate("on") }).must(b, 0, "msg=done")
	putRight(b, c)
}

// A primary's pod is lost, and its replica does not take over: nothing more is
// evicted until somebody has it do so.
func TestEvictionWaitsForAPrimary(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests, c := early(b, 3)
	keep(b, c)
	primary, replica := operator.Node{Shard: 0, Index: 0}, operator.Node{Shard: 0, Index: 1}
	c.Valkey(replica, "CONFIG", "SET", "cluster-replica-no-failover", "yes")
	c.Valkey(primary, "CONFIG", "SET", "shutdown-on-sigterm", "default")
	c.DeletePod(primary)
	const reason = "to see all slots served"
	notEvicted(b, c, manifests, reason)
	takeOver := func(*os.Process) { c.Valkey(replica, "CLUSTER", "FAILOVER", "TAKEOVER") }
	runReadbackAt(b, manifests, reason, takeOver, "--timeout", "110s").must(b, 0, "msg=done")
	putRight(b, c)
}

// A PodDisruptionBudget that is used up: the run asks again until it lets the pod go.
func TestEvictionObeysTheBudget(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests, c := early(b, 1)
	keep(b, c)
	budget := func(maxUnavailable int) {
		patch := fmt.Appendf(nil, `{"spec":{"maxUnavailable":%d}}`, maxUnavailable)
		if _, err := b.Kube().PolicyV1().PodDisruptionBudgets(b.Namespace).Patch(t.Context(), "valkey-"+clusterName,
			types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
	}
	budget(0)
	const reason = "the API server to let pod valkey-orders-0-1-0 go"
	notEvicted(b, c, manifests, reason+": ")
	runReadbackAt(b, manifests, `for="`+reason, func(*os.Process) { budget(1) }).must(b, 0, "msg=done")
	putRight(b, c)
}

// A pod of the cluster that is not Ready: no other is evicted beside it.
func TestEvictionWaitsForAPodThatIsNotReady(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests, c := early(b, 1)
	keep(b, c)
	sick := c.Pod(operator.Node{Shard: 0, Index: 0})
	setReady(b, sick, false)
	const reason = "pod valkey-orders-0-0-0 is not Ready"
	notEvicted(b, c, manifests, reason)
	runReadbackAt(b, manifests, reason, func(*os.Process) { setReady(b, sick, true) }).must(b, 0, "msg=done")
	putRight(b, c)
}

// setReady says of a pod that it is Ready, or is not, in place of its probes.
func setReady(b *bed.Bed, pod *corev1.Pod, ready bool) {
	b.T.Helper()
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{
		"conditions": []any{map[string]any{"type": corev1.PodReady, "status": status}},
	}})
	if err != nil {
		b.T.Fatal(err)
	}
	if _, err := b.Kube().CoreV1().Pods(b.Namespace).Patch(b.T.Context(), pod.Name, types.StrategicMergePatchType, patch,
		metav1.PatchOptions{}, "status"); err != nil {
		b.T.Fatal(err)
	}
}

// Half of the policy is missing: one pod is evicted twice, and then the Job has
// failed, once and for all.
func TestEvictionEndsWithoutThePolicy(t *testing.T) {
	t.Parallel()
	for _, missing := range policyKinds {
		t.Run(missing, func(t *testing.T) {
			t.Parallel()
			b := start(t)
			manifests := rendered(b, input(b, 1, hostnames, ""))
			operator.Run(b, clusterName)
			b.Apply(without(t, manifests, missing))
			job, log := jobEnded(b, manifests)
			failed := jobCondition(job, batchv1.JobFailed)
			if failed == nil || failed.Reason != batchv1.JobReasonPodFailurePolicy || !strings.Contains(failed.Message, "exit code 4") || job.Status.Failed != 1 {
				t.Errorf("the Job ended as %+v", job.Status)
			}
			const evicted, replica = "evicted a pod that was created before the policy was in force", "pod=valkey-orders-0-1-0"
			if strings.Count(log, evicted) != 2 || strings.Count(log, evicted+`" `+replica) != 2 {
				t.Errorf("not one pod alone was evicted twice:\n%s", log)
			}
			if !strings.Contains(log, "the policy is not in force: pod valkey-orders-0-1-0 came back without its port 2 times") {
				t.Errorf("the reason is not told:\n%s", log)
			}
		})
	}
}

// Killed when a pod was evicted, and when a primary hands over: the next run goes on
// from what it finds.
func TestEvictionKilledAndRunAgain(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests, c := early(b, 1)
	keep(b, c)
	for _, after := range []string{"evicted a pod", "a primary hands over"} {
		runReadbackAt(b, manifests, after, func(p *os.Process) { _ = p.Kill() })
	}
	runReadback(b, manifests).must(b, 0, "msg=done")
	putRight(b, c)
}

// All pods are evicted while a client writes: primaries hand over first, and every
// write that was acknowledged is there.
func TestEvictionLosesNoWrite(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests, c := early(b, 3)
	keep(b, c)
	resolve(b, 3)
	f := startTraffic(b, "evicted", false, nil)
	b.Eventually("some writes", func() error { return f.wrote(100) })
	o := runReadback(b, manifests, "--timeout", "110s")
	o.must(b, 0, "msg=done")
	if n := strings.Count(o.stderr, "a primary hands over"); n < 3 {
		t.Errorf("%d primaries handed over:\n%s", n, o.stderr)
	}
	f.end()
	putRight(b, c)
}
