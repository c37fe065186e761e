//go:build dns

package e2e

import (
	"context"
	"crypto/x509"
	"fmt"
	"maps"
	"os/exec"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestSplitHorizon: a client in a pod that cannot reach the Gateway, or the load
// balancers, and one outside that reaches nothing else, use the same announced names
// and ports at the same time, each verifying the nodes by them. The cluster's DNS is
// the real CoreDNS; its rule, and the records of the public DNS, are those that
// valkey-expose prints. Without the rule the client inside gets nowhere.
func TestSplitHorizon(t *testing.T) {
	const shards, perShard = 3, 2
	for name, mode := range map[string]struct {
		access  string
		arrange func(*bed.Bed) // what gives the names their addresses
	}{
		"gateway": {fmt.Sprintf("splitHorizon: true\ngateway: {gatewayRef: {name: public}, basePort: %d}", basePort), func(b *bed.Bed) {
			installGatewayAPI(b, "experimental")
			var ports []int
			for i := range shards * perShard {
				ports = append(ports, basePort+i)
			}
			b.Apply(gateway(ports))
			b.StartTraefik(ports...)
		}},
		"LoadBalancer": {"serviceType: LoadBalancer", (*bed.Bed).StartLoadBalancer},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			mode.arrange(b)
			ca := newAuthority(t)
			names := []string{fmt.Sprintf("valkey-%s.%s.svc.cluster.local", clusterName, b.Namespace)}
			for shard := range shards {
				names = append(names, hostname(shard))
			}
			cert, key := ca.issue(t, names)
			secret := &corev1.Secret{
				ObjectMeta: metav1.ObjectMeta{Name: "certificate"},
				StringData: map[string]string{"ca.crt": ca.pem(), "tls.crt": cert, "tls.key": key},
			}
			if _, err := b.Kube().CoreV1().Secrets(b.Namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			cluster := input(b, shards, hostnames+mode.access, "networking: {tls: {certificates: {server: {secretName: certificate}}}}")
			manifests := rendered(b, cluster)
			b.Apply(without(t, manifests, "Job"))
			records := []string{"--outside", "--address", bed.NodeIP}
			c := readsBack(b, manifests)
			jobEnds(b, manifests)
			if name == "LoadBalancer" {
				recorded := t.TempDir() + "/endpoints.json"
				writeFile(t, recorded, endpointsMap(b).Data["endpoints.json"])
				records = []string{"--outside", "--endpoints", recorded}
			}

			hosts := map[string]string{}
			for line := range strings.Lines(dns(b, cluster, append(records, "--format", "hosts")...)) {
				if address, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && address != "#" {
					hosts[name] = address
				}
			}
			if len(hosts) != shards {
				t.Fatalf("%d names in the hosts file: %v", len(hosts), hosts)
			}
			b.ResolveTo(hosts)
			b.StartCoreDNS(domain, dns(b, cluster, append(records, "--format", "zone")...))

			b.Apply(clientPod)
			b.KeepInside("client")
			resolves := func(want func(name, address string) bool) {
				t.Helper()
				b.Eventually("the names in the pod", func() error {
					for name := range maps.Keys(hosts) {
						out, err := b.Exec("client", "getent", "ahostsv4", name)
						if err != nil {
							return err
						}
						if address := strings.Fields(out)[0]; !want(name, address) {
							return fmt.Errorf("%s is %s in the pod", name, address)
						}
					}
					return nil
				})
			}
			seed := strings.Split(endpointsMap(b).Data["bootstrap"], ",")[0]
			host, port, _ := strings.Cut(seed, ":")
			ping := []string{"timeout", "3", "valkey-cli", "--tls", "--cacert", "/ca/ca.crt", "-h", host, "-p", port, "PING"}

			// The control: the public answer leads the pod to where it may not go.
			resolves(func(name, address string) bool { return address == hosts[name] })
			if out, err := b.Exec("client", ping...); err == nil {
				t.Fatalf("without the rule the pod reaches %s: %s", seed, out)
			}

			rule := dns(b, cluster, "--inside", "--format", "coredns-custom")
			b.DeleteAtEnd(rule)
			b.Kubectl(rule, "apply", "--namespace", "kube-system", "--server-side", "-f", "-")
			resolves(func(_, address string) bool { return strings.HasPrefix(address, "10.96.") })
			b.Eventually("the pod to be answered", func() error {
				_, err := b.Exec("client", ping...)
				return err
			})
			inside := b.PodDial("client")
			writeAndReadBy(b, seed, inside, ca.pool())
			writeAndReadTLS(b, seed, ca.pool())
			out, err := b.Exec("client", "sh", "-c", fmt.Sprintf(
				"for i in $(seq 200); do echo SET pod-$i value-$i; echo GET pod-$i; done | valkey-cli -c --tls --cacert /ca/ca.crt -h %s -p %s", host, port))
			if err != nil || strings.Count(out, "value-") != 200 {
				t.Errorf("valkey-cli in the pod: %v\n%.2000s", err, out)
			}

			in, outer := startTrafficBy(b, "inside", inside, ca.pool()), startTraffic(b, "outside", true, ca.pool())
			under := func(f *traffic) func() error { return func() error { return f.wrote(200) } }
			b.Eventually("traffic inside", under(in))
			b.Eventually("traffic outside", under(outer))
			c.Failover(1)
			after := func(f *traffic) func() error {
				count := f.count() + 200
				return func() error { return f.wrote(count) }
			}
			b.Eventually("traffic inside after the failover", after(in))
			b.Eventually("traffic outside after the failover", after(outer))
			in.end()
			outer.end()

			// Forgotten: the names lead out again. Where the cluster's DNS can only forward a
			// zone, to a server that has the rule, that does as well.
			custom := b.Kube().CoreV1().ConfigMaps("kube-system")
			if err := custom.Delete(t.Context(), "coredns-custom", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			resolves(func(name, address string) bool { return address == hosts[name] })
			if out, err := b.Exec("client", ping...); err == nil {
				t.Errorf("with the rule forgotten the pod reaches %s: %s", seed, out)
			}
			forwarded := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "coredns-custom"}, Data: map[string]string{
				"zone.override": fmt.Sprintf("forward %s 127.0.0.1:5301\n", domain),
				"zone.server":   fmt.Sprintf("%s:5301 {\n%sforward cluster.local 127.0.0.1:53\n}\n", domain, dns(b, cluster, "--inside", "--format", "corefile")),
			}}
			if _, err := custom.Create(t.Context(), forwarded, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			resolves(func(_, address string) bool { return strings.HasPrefix(address, "10.96.") })
			b.Eventually("the pod to be answered by way of the other server", func() error {
				_, err := b.Exec("client", ping...)
				return err
			})
			if out, err := b.Exec("client", "getent", "ahostsv4", "other."+domain); err == nil {
				t.Errorf("a name that is nobody's is %s", out)
			}
		})
	}
}

// startTrafficBy is that of a client that starts from what the Job has recorded and
// connects in a way of its own.
func startTrafficBy(b *bed.Bed, prefix string, dial dialer, trust *x509.CertPool) *traffic {
	b.T.Helper()
	f := &traffic{b: b, outside: true, dial: dial, trust: trust, prefix: prefix}
	f.start()
	return f
}

// clientPod is a pod that knows nothing of all this but whom to trust.
const clientPod = `apiVersion: v1
kind: Pod
metadata: {name: client}
spec:
  containers:
  - {name: client, image: client, volumeMounts: [{name: ca, mountPath: /ca, readOnly: true}]}
  volumes:
  - {name: ca, secret: {secretName: certificate, items: [{key: ca.crt, path: ca.crt}]}}
`

// dns runs valkey-expose dns.
func dns(b *bed.Bed, cluster string, flags ...string) string {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.T.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, product.Program(b.T, "valkey-expose"), append([]string{"dns", "-f", "-"}, flags...)...)
	cmd.Stdin = strings.NewReader(cluster)
	out, err := cmd.Output()
	if err != nil {
		b.T.Fatalf("valkey-expose dns %v: %v", flags, err)
	}
	return string(out)
}
