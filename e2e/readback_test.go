package e2e

import (
	"maps"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// mostResident is what the program may have in memory for 6 nodes, in KiB.
const mostResident = 40 << 10

// A fresh NodePort cluster: the rendered Job, under its rendered Role, records
// and announces the ports that Kubernetes allocated; a client outside reads and
// writes over all slots; a pod made anew announces its port with no second Job;
// and a second run finds nothing to do.
func TestReadbackOfAFreshCluster(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 3, hostnames, ""))
	c := readsBack(b, manifests)
	log := jobEnds(b, manifests)
	if !strings.Contains(log, "the CRD has no status.externalEndpoints") {
		t.Errorf("the stand-in's CRD drops the status, and the Job says:\n%s", log)
	}
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)
	busUsesPodAddresses(b, c)

	resolve(b, 3)
	seed := strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0]
	writeAndRead(b, seed)

	c.DeletePod(operator.Node{Shard: 1, Index: 1})
	c.WaitHealthy()
	announcesNodePorts(b, c)
	if jobs, err := b.Kube().BatchV1().Jobs(b.Namespace).List(t.Context(), metav1.ListOptions{}); err != nil || len(jobs.Items) != 1 {
		t.Errorf("%d jobs: %v", len(jobs.Items), err)
	}

	// What a pipeline applies again is the empty ConfigMap.
	before := endpointsMap(b)
	b.Apply(kinds(t, manifests, "ConfigMap"))
	if after := endpointsMap(b); after.ResourceVersion != before.ResourceVersion {
		t.Error("applying the manifests again changed the ConfigMap")
	}
	// Client-side as well: the first time, kubectl adds its annotation.
	for range 2 {
		b.Kubectl(kinds(t, manifests, "ConfigMap"), "apply", "-f", "-")
		if after := endpointsMap(b); !maps.Equal(after.Data, before.Data) {
			t.Errorf("kubectl apply made the data %v", after.Data)
		}
	}
	before = endpointsMap(b)

	// Run again, and twice at once.
	var both sync.WaitGroup
	outcomes := make([]outcome, 2)
	for i := range outcomes {
		both.Go(func() { outcomes[i] = runReadback(b, manifests) })
	}
	both.Wait()
	for _, o := range outcomes {
		o.must(b, 0, "msg=done")
		if strings.Contains(o.stderr, "msg=announced") {
			t.Errorf("a second run changed a node:\n%s", o.stderr)
		}
		if t.Logf("resident: %d KiB", o.resident); o.resident == 0 || o.resident > mostResident {
			t.Errorf("the program took %d KiB", o.resident)
		}
	}
	if after := endpointsMap(b); after.ResourceVersion != before.ResourceVersion {
		t.Error("a second run changed the ConfigMap")
	}

	// A dry run of the other way prints all, and touches nothing.
	ip := rendered(b, input(b, 3, "domain: "+domain, ""))
	o := runReadback(b, ip, "--dry-run")
	o.must(b, 0, "msg=done")
	for _, says := range []string{`"cluster-preferred-endpoint-type": "ip"`, `"cluster-announce-client-port": "0"`, `"endpoints.json"`, `"nodePorts"`} {
		if !strings.Contains(o.stdout, says) {
			t.Errorf("the dry run does not say %s:\n%s", says, o.stdout)
		}
	}
	if strings.Contains(o.stdout, "allocated.conf") {
		t.Errorf("with ip, the dry run has an allocated port:\n%s", o.stdout)
	}
	announcesNodePorts(b, c)
	if after := endpointsMap(b); after.ResourceVersion != before.ResourceVersion {
		t.Error("a dry run changed the ConfigMap")
	}

	// Reset leaves nothing behind.
	runReadback(b, manifests, "--reset").must(b, 0, "msg=done")
	if data := endpointsMap(b).Data; len(data) > 0 {
		t.Errorf("after --reset the ConfigMap holds %v", data)
	}
	for _, n := range c.Nodes() {
		s := settingsOf(c, n)
		if s["cluster-announce-hostname"] != "" || s["cluster-announce-client-port"] != "0" ||
			s["cluster-announce-human-nodename"] != "" || s["cluster-preferred-endpoint-type"] != "ip" {
			t.Errorf("after --reset %v has %v", n, s)
		}
	}
}
