package e2e

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

const addresses = "preferredEndpointType: address\n"

// A client outside that resolves no name at all is redirected to addresses: on node
// ports that of the field, and of load balancers each shard's own. Nodes still know
// each other by their pods' addresses; a pod made anew announces without a second Job.
func TestClientOutsideWithoutDNS(t *testing.T) {
	t.Parallel()
	for name, access := range map[string]string{
		"NodePort":     addresses + "address: " + bed.NodeIP,
		"LoadBalancer": addresses + "serviceType: LoadBalancer",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t)
			b.NoNames = true
			b.StartLoadBalancer()
			manifests := rendered(b, input(b, 3, access, ""))
			c := readsBack(b, manifests)
			jobEnds(b, manifests)
			reachedByAddress(b, c)

			c.DeletePod(operator.Node{Shard: 1, Index: 1})
			c.WaitHealthy()
			announcesAddresses(b, c)
			runReadback(b, manifests, "--dry-run").must(b, 0, "msg=done")
			o := runReadback(b, manifests)
			o.must(b, 0, "msg=done")
			if strings.Contains(o.stderr, "cluster-announce") {
				t.Errorf("a second run changed something:\n%s", o.stderr)
			}
		})
	}
}

// A Service made anew has another address: the next run announces it, to the nodes of
// that shard alone, and a client outside is back. Back with ip, nothing of it is left.
func TestReadbackFollowsAnAddress(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.NoNames = true
	b.StartLoadBalancer()
	manifests := rendered(b, input(b, 3, addresses+"serviceType: LoadBalancer", ""))
	c := readsBack(b, manifests)
	jobEnds(b, manifests)

	before := reachOf(b, operator.Node{Shard: 1})
	prune(b, "services", serviceName(1))
	b.Apply(kinds(t, manifests, "Service"))
	o := runReadback(b, manifests)
	o.must(b, 0, "msg=done")
	if after := reachOf(b, operator.Node{Shard: 1}); after == before {
		t.Fatalf("the Service made anew has the address of before, %s", after)
	}
	if strings.Contains(o.stderr, "node=orders-0-0 cluster-announce") || !strings.Contains(o.stderr, "node=orders-1-0 cluster-announce-hostname") {
		t.Errorf("not shard 1 alone was announced:\n%s", o.stderr)
	}
	reachedByAddress(b, c)

	back := rendered(b, input(b, 3, "serviceType: LoadBalancer", ""))
	b.Apply(back)
	jobEnds(b, back)
	for _, n := range c.Nodes() {
		if s := settingsOf(c, n); s["cluster-announce-hostname"] != "" || s["cluster-preferred-endpoint-type"] != "ip" || s["cluster-announce-client-port"] != "0" {
			t.Errorf("back with ip, %v has %v", n, s)
		}
	}
}

// A load balancer with an IPv6 address alone, and one with a name beside its address.
func TestReadbackOfUnusualLoadBalancers(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 1, addresses+"serviceType: LoadBalancer", ""))
	c := upWithoutJob(b, manifests)
	balancer := func(ingress ...corev1.LoadBalancerIngress) {
		t.Helper()
		s := service(b, 0)
		s.Status.LoadBalancer.Ingress = ingress
		if _, err := b.Kube().CoreV1().Services(b.Namespace).UpdateStatus(t.Context(), s, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	runReadback(b, manifests, "--timeout", "2s").must(b, 124, "service valkey-orders-shard-0 has no load balancer address yet")
	balancer(corev1.LoadBalancerIngress{IP: "2001:db8::1"})
	// The bed's Services are IPv4's, so that address may still come.
	runReadback(b, manifests, "--timeout", "2s").must(b, 124, "has no load balancer address yet but 2001:db8::1, which is no IPv4 address")
	for _, n := range c.Nodes() {
		if s := settingsOf(c, n); s["cluster-preferred-endpoint-type"] != "ip" {
			t.Errorf("%v has %v", n, s)
		}
	}
	balancer(corev1.LoadBalancerIngress{IP: "192.0.2.1"}, corev1.LoadBalancerIngress{Hostname: "lb-1.example.net"})
	runReadback(b, manifests).must(b, 0, "msg=done")
	announcesAt(b, c, func(n operator.Node) (string, int) { return "lb-1.example.net", 6379 + n.Index })
}

// With TLS the certificate carries the addresses, which are known once the load
// balancers have them; without them a client outside refuses the nodes.
func TestAddressesWithTLS(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.NoNames = true
	b.StartLoadBalancer()
	manifests := rendered(b, input(b, 2, addresses+"serviceType: LoadBalancer", "networking: {tls: {certificates: {server: {secretName: certificate}}}}"))
	b.Apply(kinds(t, manifests, "Service"))
	names := []string{fmt.Sprintf("valkey-%s.%s.svc.cluster.local", clusterName, b.Namespace)}
	ca := newAuthority(t)
	for shard := range 2 {
		names = append(names, reachOf(b, operator.Node{Shard: shard}))
	}
	cert, key := ca.issue(t, names)
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "certificate"},
		StringData: map[string]string{"ca.crt": ca.pem(), "tls.crt": cert, "tls.key": key},
	}
	if _, err := b.Kube().CoreV1().Secrets(b.Namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c := readsBack(b, manifests)
	jobEnds(b, manifests)
	announcesAddresses(b, c)
	seed := strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0]
	writeAndReadTLS(b, seed, ca.pool())

	// The controls: for an address that it does not carry, or by another authority, the
	// certificate is refused.
	if err := verifiesAs(b, seed, reachOf(b, operator.Node{}), ca.pool()); err != nil {
		t.Errorf("the certificate is refused: %v", err)
	}
	if err := verifiesAs(b, seed, bed.NodeIP, ca.pool()); err == nil || !strings.Contains(err.Error(), "not "+bed.NodeIP) {
		t.Errorf("for an address that it does not carry: %v", err)
	}
	if err := verifiesAs(b, seed, reachOf(b, operator.Node{}), newAuthority(t).pool()); err == nil {
		t.Error("the certificate of another authority is taken")
	}
}

// reachOf is the address of a node's load balancer, once it has one; on node ports, the
// machine's.
func reachOf(b *bed.Bed, n operator.Node) string {
	b.T.Helper()
	if service(b, n.Shard).Spec.Type != corev1.ServiceTypeLoadBalancer {
		return bed.NodeIP
	}
	s := bed.WaitFor(b, bed.Services, b.Namespace, serviceName(n.Shard), "to have an address", func(s *corev1.Service) bool {
		return len(s.Status.LoadBalancer.Ingress) > 0
	})
	return s.Status.LoadBalancer.Ingress[0].IP
}

// announcesAddresses compares what every node announces with what its Service has.
func announcesAddresses(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	announcesAt(b, c, func(n operator.Node) (string, int) {
		p := service(b, n.Shard).Spec.Ports[n.Index]
		if service(b, n.Shard).Spec.Type == corev1.ServiceTypeLoadBalancer {
			return reachOf(b, n), int(p.Port)
		}
		return reachOf(b, n), int(p.NodePort)
	})
}

// reachedByAddress reads and writes over all slots from outside, and from the nodes how
// they reach each other.
func reachedByAddress(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	announcesAddresses(b, c)
	seeds := strings.Split(endpointsMap(b).Data["bootstrap"], ",")
	if len(seeds) != len(c.Nodes()) {
		b.T.Fatalf("bootstrap is %v", seeds)
	}
	for i, n := range c.Nodes() {
		host, port, _ := strings.Cut(seeds[i], ":")
		if host != reachOf(b, n) {
			b.T.Errorf("%v is recorded at %s", n, seeds[i])
		}
		answers(b, host, port)
		file := endpointsMap(b).Data[fmt.Sprintf("%d-%d.allocated.conf", n.Shard, n.Index)]
		if want := fmt.Sprintf("cluster-announce-hostname %s\ncluster-announce-client-port %s\n", host, port); !strings.HasPrefix(file, want) {
			b.T.Errorf("the file of %v holds %q", n, file)
		}
	}
	writeAndRead(b, seeds[0])
	host, port, _ := strings.Cut(seeds[2], ":")
	writeAndReadByCLI(b, host, port)
	busUsesPodAddresses(b, c)
}
