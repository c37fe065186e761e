package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// Each fault ends with its own message and exit code, and nothing is written or
// set. At the end all is mended and one run makes it good.
func TestReadbackFaults(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 3, hostnames, ""))
	withoutJob := without(t, manifests, "Job")
	c := upWithoutJob(b, manifests)
	untouched := func() {
		t.Helper()
		if data := endpointsMap(b).Data; len(data) > 0 {
			t.Errorf("the ConfigMap holds %v", data)
		}
		for _, n := range c.Nodes() {
			if s := settingsOf(c, n); s["cluster-announce-client-port"] != "0" || s["cluster-preferred-endpoint-type"] != "ip" {
				t.Errorf("%v has %v", n, s)
			}
		}
	}

	t.Log("a Service is missing")
	prune(b, "services", serviceName(2))
	runReadback(b, manifests, "--timeout", "2s").must(b, 124, "service valkey-orders-shard-2 does not exist")
	untouched()

	t.Log("a port is 0")
	clusterIP := strings.NewReplacer("type: NodePort", "type: ClusterIP", "  externalTrafficPolicy: Cluster\n", "").Replace(kinds(t, manifests, "Service"))
	b.Apply(clusterIP)
	runReadback(b, manifests, "--timeout", "2s").must(b, 124, "service valkey-orders-shard-2: port vk-n1 has no nodePort yet")
	untouched()
	b.Apply(withoutJob)

	t.Log("a node does not answer")
	stuck := operator.Node{Shard: 1, Index: 1}
	pod := c.Pod(stuck)
	if err := b.Runner().Signal(b.Namespace, pod.Name, "server", syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	runReadback(b, manifests, "--timeout", "12s").must(b, 124, "node orders-1-1 ("+pod.Status.PodIP+")")
	if err := b.Runner().Signal(b.Namespace, pod.Name, "server", syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.WaitHealthy()
	untouched()

	t.Log("the password is wrong")
	wrong := filepath.Join(t.TempDir(), "password")
	writeFile(t, wrong, "wrong-secret")
	runReadback(b, manifests, "--password-file", wrong).must(b, 1, "WRONGPASS")
	untouched()

	t.Log("the plan is for another namespace, another cluster, another version")
	runReadback(b, manifests, "--namespace", "default").must(b, 1, fmt.Sprintf(`the plan is for namespace \"%s\", but this is \"default\"`, b.Namespace))
	other := strings.ReplaceAll(manifests, "orders", "carts")
	runReadback(b, other, "--timeout", "10s").must(b, 3, "ConfigMap valkey-carts-readback-plan is gone")
	newer := strings.Replace(manifests, `{"version":2,`, `{"version":3,`, 1)
	runReadback(b, newer).must(b, 1, "the plan has version 3, this program reads version 2")
	untouched()

	t.Log("told to stop while it waits")
	prune(b, "services", serviceName(2))
	stop := func(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }
	runReadbackAt(b, manifests, "msg=waiting", stop).must(b, 143, "stopped by signal: terminated")
	untouched()

	t.Log("mended")
	b.Apply(withoutJob)
	b.Apply(kinds(t, manifests, "Job"))
	jobEnds(b, manifests)
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}

// Killed after any step, and run again: the end is the same.
func TestReadbackKilledAndRunAgain(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 2, hostnames, ""))
	c := upWithoutJob(b, manifests)
	for _, after := range []string{
		"msg=\"read the plan\"", "msg=\"nodes are ready\"", "msg=recorded", "msg=\"the status is not kept", "msg=\"step done\" step=names",
		"msg=announced", "msg=\"step done\" step=\"ports", "msg=\"verified",
	} {
		runReadbackAt(b, manifests, after, func(p *os.Process) { _ = p.Kill() })
		runReadback(b, manifests).must(b, 0, "msg=done")
		recordsNodePorts(b, c)
		announcesNodePorts(b, c)
		runReadback(b, manifests, "--reset").must(b, 0, "msg=done")
	}
}

// The API server is gone for a while: the run waits for it. No other test runs
// at the same time.
func TestReadbackOutlivesTheAPIServer(t *testing.T) {
	b := start(t)
	manifests := rendered(b, input(b, 1, hostnames, ""))
	c := upWithoutJob(b, manifests)

	// It waits for a Service when the server goes, and for the server when the
	// Service comes.
	patch := []byte(`{"spec":{"type":"ClusterIP"}}`)
	if _, err := b.Kube().CoreV1().Services(b.Namespace).Patch(t.Context(), serviceName(0), types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	runReadbackAt(b, manifests, "has no nodePort yet", func(*os.Process) {
		b.RestartAPIServer()
		b.Apply(without(t, manifests, "Job"))
	}).must(b, 0, "msg=done")
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
}

// A node restarts while it is announced: all is tried again until it is back.
func TestReadbackOutlivesARestart(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 2, hostnames, ""))
	c := upWithoutJob(b, manifests)
	node := operator.Node{Shard: 1, Index: 1}
	runReadbackAt(b, manifests, "msg=recorded", func(*os.Process) {
		if err := b.Runner().Signal(b.Namespace, c.Pod(node).Name, "server", syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}).must(b, 0, "msg=done")
	announcesNodePorts(b, c)
}

// The operator of 0.4 gives its user no right to read settings: all are set, and
// what the nodes tell each other is verified all the same.
func TestReadbackWithoutTheRightToReadSettings(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 2, hostnames, ""))
	c := upWithoutJob(b, manifests)
	for _, n := range c.Nodes() {
		c.Valkey(n, "ACL", "SETUSER", operator.OperatorUser, "-config|get")
	}
	for range 2 {
		o := runReadback(b, manifests)
		o.must(b, 0, "settings may not be read: all are set")
		if got := strings.Count(o.stderr, "msg=announced"); got != 2*len(c.Nodes()) {
			t.Errorf("%d settings were announced:\n%s", got, o.stderr)
		}
	}
	announcesNodePorts(b, c)
}
