//go:build operator

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/valkey-io/valkey-go"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// applyAndPrune applies the folder, and deletes what was in it before and is no
// more, as a pipeline does.
func (d deployment) applyAndPrune(before string) {
	d.b.T.Helper()
	d.apply()
	kept := namesOf(d.b.T, d.build())
	var gone []string
	for document := range strings.SplitSeq(before, "\n---\n") {
		if names := namesOf(d.b.T, document); len(names) == 1 && !slices.Contains(kept, names[0]) {
			gone = append(gone, document)
		}
	}
	d.b.Kubectl(strings.Join(gone, "\n---\n"), "delete", "--ignore-not-found", "-f", "-")
}

// Every change of a cluster's life, by one apply each, while a client inside writes
// and reads: there and back, by git revert and by rendering again; another domain;
// off.
func TestOperatorChanges(t *testing.T) {
	t.Parallel()
	b := startReal(t)
	const other = "other.example.com"
	byHostname := input(b, 3, hostnames, "")
	byIP := input(b, 3, "domain: "+domain, "")
	d := newDeployment(b)
	step := func(what, cluster, preferred, domain string) *operator.Cluster {
		t.Log(what)
		d.render(cluster)
		d.apply()
		d.done()
		c := settled(b)
		prefers(b, c, preferred, domain)
		return c
	}
	resolve(b, 3)
	for shard := range 3 {
		b.Resolve(fmt.Sprintf("shard-%d.%s", shard, other))
	}
	step("hostname, fresh", byHostname, "hostname", domain)
	d.commit("hostname")
	f := startTraffic(b, "changes", false, nil)
	step("ip", byIP, "ip", domain)
	d.commit("ip")

	t.Log("hostname, by git revert")
	d.revert()
	d.apply()
	d.done()
	prefers(b, settled(b), "hostname", domain)

	t.Log("ip, by a revert of the revert")
	d.revert()
	d.apply()
	d.done()
	prefers(b, settled(b), "ip", domain)

	step("hostname, rendered again", byHostname, "hostname", domain)
	step("ip, rendered again", byIP, "ip", domain)
	step("ip, another domain", input(b, 3, "domain: "+other, ""), "ip", other)
	step("hostname, another domain", input(b, 3, "domain: "+other+"\npreferredEndpointType: hostname", ""), "hostname", other)
	c := step("ip, before it is turned off", input(b, 3, "domain: "+other, ""), "ip", other)

	t.Log("off")
	before, port := d.build(), fmt.Sprint(service(b, 0).Spec.Ports[0].NodePort)
	pods := map[operator.Node]*corev1.Pod{}
	for _, n := range c.Nodes() {
		pods[n] = c.Pod(n)
	}
	rendered(b, strings.Replace(input(b, 3, "domain: "+other, ""), "enabled: true", "enabled: false", 1), "-o", d.dir)
	d.applyAndPrune(before)
	for _, n := range c.Nodes() {
		c.WaitReady(n, pods[n])
	}
	c.WaitHealthy()
	f.end()
	tellsPodAddresses(b, c, port)
	left, err := b.Kube().BatchV1().Jobs(b.Namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(left.Items) > 0 {
		t.Errorf("%d Jobs are left: %v", len(left.Items), err)
	}
}

// Clients inside go to the pods, as without external access.
func TestOperatorPreferringIP(t *testing.T) {
	t.Parallel()
	b := startReal(t)
	d := newDeployment(b)
	d.render(input(b, 3, "", ""))
	d.apply()
	d.done()
	c := settled(b)
	carriesOverlay(b, c)
	tellsPodAddresses(b, c, fmt.Sprint(service(b, 0).Spec.Ports[0].NodePort))
	f := startTraffic(b, "ip", false, nil)
	c.DeletePod(c.Primary(2))
	c.WaitHealthy()
	f.end()
}

// With TLS the certificate carries what endpoints --sans lists, and a client
// outside verifies it.
func TestOperatorWithTLS(t *testing.T) {
	t.Parallel()
	b := startReal(t)
	more := "networking: {tls: {certificates: {server: {secretName: certificate}}}}"
	accepts := func(cluster string) error {
		objects, err := bed.Decode(cluster)
		if err != nil {
			t.Fatal(err)
		}
		return b.DryRun(objects[0].Object)
	}
	b.Eventually("the API server to take ValkeyClusters", func() error { return accepts(plain(b, 3)) })
	if err := accepts(plain(b, 3) + "  " + more + "\n"); err != nil {
		t.Logf("the fields are those of 0.5: %v", err)
		more = "networking: {tls: {certificate: {secretName: certificate}}}"
	}
	ca := newAuthority(t)
	cert, key := ca.issue(t, []string{
		fmt.Sprintf("valkey-%s.%s.svc.cluster.local", clusterName, b.Namespace), hostname(0), hostname(1), hostname(2), "localhost",
	})
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "certificate"},
		StringData: map[string]string{"ca.crt": ca.pem(), "tls.crt": cert, "tls.key": key},
	}
	if _, err := b.Kube().CoreV1().Secrets(b.Namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	d := newDeployment(b)
	d.render(input(b, 3, hostnames, more))
	d.apply()
	d.done()
	c := settled(b)
	carriesOverlay(b, c)
	announcesNodePorts(b, c)
	resolve(b, 3)
	f := startTraffic(b, "tls", true, ca.pool())
	b.Eventually("some writes", func() error { return f.wrote(keys) })
	c.DeletePod(c.Primary(0))
	c.WaitHealthy()
	f.end()
}

// Three shards, four, three: a hundred thousand keys are read outside all the time.
func TestOperatorScales(t *testing.T) {
	t.Parallel()
	b := startReal(t)
	d := newDeployment(b)
	d.render(input(b, 3, hostnames, ""))
	d.apply()
	d.done()
	resolve(b, 4)
	settled(b)
	f := fill(b, "many", 100_000)

	t.Log("four shards")
	d.render(input(b, 4, hostnames, ""))
	d.apply()
	d.done()
	four := settled(b)
	b.Eventually("the fourth shard to have its share", func() error {
		for shard := range 4 {
			if n := slotsOf(four, four.Primary(shard)); n < 4000 {
				return fmt.Errorf("shard %d has %d slots", shard, n)
			}
		}
		return nil
	})
	announcesNodePorts(b, four)

	t.Log("three shards, the fourth served until it is empty")
	d.render(input(b, 3, hostnames+"servedShards: 4", ""))
	d.apply()
	d.done()
	// As docs/operations.md says.
	b.Kubectl("", "wait", "valkeycluster/"+clusterName, "--for=condition=Ready", "--timeout="+b.Patience.String())
	left, err := b.Kube().CoreV1().Pods(b.Namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "valkey.io/shard-index=3"})
	if err != nil || len(left.Items) > 0 {
		t.Errorf("the cluster is Ready, and %d pods of the fourth shard are left: %v", len(left.Items), err)
	}

	t.Log("three shards")
	before := d.build()
	d.render(input(b, 3, hostnames, ""), "--force")
	d.applyAndPrune(before)
	d.done()
	c := settled(b)
	f.end()
	announcesNodePorts(b, c)
	recordsNodePorts(b, c)
	if _, err := b.Kube().CoreV1().Services(b.Namespace).Get(t.Context(), serviceName(3), metav1.GetOptions{}); err == nil {
		t.Error("the Service of the fourth shard is left")
	}
}

// slotsOf counts what a node serves.
func slotsOf(c *operator.Cluster, n operator.Node) (count int) {
	for line := range strings.Lines(c.Valkey(n, "CLUSTER", "NODES")) {
		fields := strings.Fields(line)
		if !strings.Contains(fields[2], "myself") {
			continue
		}
		for _, r := range fields[8:] {
			var from, to int
			if k, _ := fmt.Sscanf(r, "%d-%d", &from, &to); k == 1 {
				to = from
			} else if k == 0 {
				continue
			}
			count += to - from + 1
		}
	}
	return count
}

// fill writes a number of keys from outside, many at a time, and returns a traffic
// that reads them and writes more.
func fill(b *bed.Bed, prefix string, count int) *traffic {
	b.T.Helper()
	f := &traffic{b: b, outside: true, prefix: prefix, acknowledged: count}
	for from := 0; from < count; from += 1000 {
		f.do(b.T.Context(), "filling", func(ctx context.Context) error {
			var sets valkey.Commands
			for i := from; i < min(from+1000, count); i++ {
				sets = append(sets, f.client.B().Set().Key(f.key(i)).Value(f.key(i)).Build())
			}
			for _, r := range f.client.DoMulti(ctx, sets...) {
				if err := r.Error(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	f.close()
	f.longest = 0
	f.start()
	return f
}
