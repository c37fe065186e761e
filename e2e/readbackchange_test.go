package e2e

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// Services made anew have other ports, shards come and go: a run mends it all.
func TestReadbackFollowsChanges(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 3, hostnames, ""))
	c := readsBack(b, manifests)
	jobEnds(b, manifests)

	renew(b, manifests, 1)
	o := runReadback(b, manifests)
	o.must(b, 0, "msg=done")
	if strings.Contains(o.stderr, "node=orders-0-0 cluster-announce") || !strings.Contains(o.stderr, "node=orders-1-0 cluster-announce-client-port") {
		t.Errorf("not shard 1 alone was announced:\n%s", o.stderr)
	}
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)

	// Scale out: another plan, another Job.
	more := rendered(b, input(b, 4, hostnames, ""))
	b.Apply(more)
	c.Settle()
	jobEnds(b, more)
	recordsNodePorts(b, c)

	// Scale in, pruned as a pipeline does.
	b.Apply(manifests)
	prune(b, "services", serviceName(3))
	c.Settle()
	runReadback(b, manifests).must(b, 0, "msg=done")
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}

// External access is turned on for a running cluster. The Job starts with the
// roll: until its last pod is there, nothing is written and nothing announced.
func TestReadbackWaitsForTheRoll(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(plain(b, 3))
	c := operator.For(b, clusterName)
	c.Up()

	manifests := rendered(b, input(b, 3, hostnames, ""))
	b.Apply(manifests)
	inForce(b)
	watched := make(chan error, 1)
	go func() {
		// Before each pod of the roll, and after: while one node lacks its port,
		// the record is empty.
		for t.Context().Err() == nil {
			pods, err := pending(b, c)
			if err != nil {
				watched <- err
				return
			}
			if pods == 0 {
				watched <- nil
				return
			}
			// Read after the pods: a record written in between is none too early.
			if data := endpointsMap(b).Data; len(data) > 0 {
				if still, err := pending(b, c); err != nil || still > 0 {
					watched <- errors.Join(err, errors.New("the record is filled while pods lack their port"))
					return
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	c.Settle()
	if err := <-watched; err != nil {
		t.Error(err)
	}
	log := jobEnds(b, manifests)
	if !strings.Contains(log, "it has not been rolled yet") {
		t.Errorf("the Job did not wait for the roll:\n%s", log)
	}
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}

// A Plan comes back while its Job waits, and before that of the Plan between has
// taken over: its image does nothing. The first Job, which ended as superseded, starts again.
func TestPlanComesBackBeforeTheNextJobBegins(t *testing.T) {
	t.Parallel()
	b := start(t)
	first := rendered(b, input(b, 1, hostnames, ""))
	c := upWithoutJob(b, first)
	prune(b, "services", serviceName(0)) // what it waits for
	b.Apply(kinds(t, first, "Job"))
	job := map[string]string{"batch.kubernetes.io/job-name": jobName(b, first)}
	bed.WaitForAny(b, bed.Pods, b.Namespace, job, "to run", func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning })

	b.Apply(without(t, product.Render(t, input(b, 1, "domain: "+domain, "")), "Service"))
	bed.WaitForAny(b, bed.Pods, b.Namespace, job, "to end as superseded", func(p *corev1.Pod) bool {
		return slices.ContainsFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
			return s.Name == "readback" && s.State.Terminated != nil && s.State.Terminated.ExitCode == 3
		})
	})

	b.Apply(first)
	jobEnds(b, first)
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}

// pending counts the pods that lack the port their Service leads to.
func pending(b *bed.Bed, c *operator.Cluster) (n int, err error) {
	pods, err := b.Kube().CoreV1().Pods(b.Namespace).List(b.T.Context(), metav1.ListOptions{LabelSelector: "valkey.io/cluster=" + c.Name})
	if err != nil {
		return 0, err
	}
	for _, p := range pods.Items {
		has := slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool {
			return slices.ContainsFunc(c.Ports, func(port corev1.ContainerPort) bool { return strings.HasPrefix(port.Name, "vk-n") })
		})
		if !has {
			n++
		}
	}
	return n, nil
}
