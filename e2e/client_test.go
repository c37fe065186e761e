package e2e

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// A client outside follows redirects to the announced hostnames and node ports,
// and reads and writes over all slots. The announcement is in the files that the
// pods load at their start; the test fills in what the read-back Job would.
func TestClientOutsideThroughNodePorts(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(product.Render(t, input(b, 3, hostnames, "")))
	inForce(b)
	fillEndpoints(b, 3, 2)
	c := operator.For(b, clusterName)
	c.Up()
	resolve(b, 3)

	for _, n := range c.Nodes() {
		answers(b, hostname(n.Shard), fmt.Sprint(service(b, n.Shard).Spec.Ports[n.Index].NodePort))
	}
	seed := fmt.Sprint(service(b, 0).Spec.Ports[0].NodePort)
	writeAndRead(b, hostname(0)+":"+seed)
	writeAndReadByCLI(b, hostname(0), seed)
	busUsesPodAddresses(b, c)
}

// The control: without the announcement the same client gets as far as its first
// redirect, to a pod's address.
func TestClientOutsideFailsWithoutTheAnnouncement(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.Apply(product.Render(t, input(b, 3, "", "")))
	inForce(b)
	c := operator.For(b, clusterName)
	c.Up()
	resolve(b, 3)

	port := fmt.Sprint(service(b, 0).Spec.Ports[0].NodePort)
	answers(b, bed.NodeIP, port) // the seed itself does
	failed := 0
	for i := range 20 {
		out, err := b.Client("timeout", "2", "valkey-cli", "-c", "-h", bed.NodeIP, "-p", port, "SET", fmt.Sprint("key-", i), "x")
		if err != nil || !strings.Contains(out, "OK") {
			failed++
		}
	}
	if failed == 0 {
		t.Error("every key was written, though redirects lead to pods")
	}

	tellsPodAddresses(b, c, port)
}

// tellsPodAddresses reads from every node that clients are told of pods, as
// without external access. A replica is told of once the bus has heard from it
// that it has data, a moment after it follows its primary.
func tellsPodAddresses(b *bed.Bed, c *operator.Cluster, nodePort string) {
	b.T.Helper()
	for _, n := range c.Nodes() {
		b.Eventually("CLUSTER SLOTS to name every pod, and nothing else", func() error {
			slots := c.Valkey(n, "CLUSTER", "SLOTS")
			for _, other := range c.Nodes() {
				if ip := c.Pod(other).Status.PodIP; !strings.Contains(slots, ip+"\n6379\n") {
					return fmt.Errorf("%v does not name %s 6379:\n%s", n, ip, slots)
				}
			}
			// The hostname of a pod that is gone is known until its successor has pinged.
			if strings.Contains(slots, "hostname") || strings.Contains(slots, "\n"+nodePort+"\n") {
				return fmt.Errorf("%v names a hostname or a node port:\n%s", n, slots)
			}
			return nil
		})
	}
}

// answers waits until the way from the client host to a node is open: kube-proxy
// and Gateways hear of endpoints a moment after they are there.
func answers(b *bed.Bed, host, port string) {
	b.T.Helper()
	b.Eventually(host+" port "+port+" to answer outside", func() error {
		out, err := b.Client("valkey-cli", "-h", host, "-p", port, "PING")
		if err == nil && !strings.Contains(out, "PONG") {
			err = errors.New(out)
		}
		return err
	})
}

func hostname(shard int) string { return fmt.Sprintf("shard-%d.%s", shard, domain) }

// resolve makes the shard hostnames known outside.
func resolve(b *bed.Bed, shards int) {
	b.T.Helper()
	for shard := range shards {
		b.Resolve(hostname(shard))
	}
}

// fillEndpoints writes what the read-back Job writes for the pods: the node port
// that Kubernetes allocated to each node.
func fillEndpoints(b *bed.Bed, shards, perShard int) {
	b.T.Helper()
	var data []string
	for shard := range shards {
		for index := range perShard {
			port := service(b, shard).Spec.Ports[index].NodePort
			data = append(data, fmt.Sprintf(`"%d-%d.allocated.conf": "cluster-announce-client-port %d\ncluster-preferred-endpoint-type hostname\n"`, shard, index, port))
		}
	}
	patch := fmt.Sprintf(`{"data": {%s}}`, strings.Join(data, ", "))
	_, err := b.Kube().CoreV1().ConfigMaps(b.Namespace).Patch(b.T.Context(), "valkey-"+clusterName+"-external-endpoints",
		types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
}

const keys = 1000

// writeAndRead writes and reads keys over all slots with valkey-go, which opens
// connections to every address it is redirected to.
func writeAndRead(b *bed.Bed, seed string) { writeAndReadTLS(b, seed, nil) }

// writeAndReadTLS verifies each node's certificate against the hostname it is
// dialled by, if there is a trust to verify with.
func writeAndReadTLS(b *bed.Bed, seed string, trust *x509.CertPool) {
	b.T.Helper()
	writeAndReadBy(b, seed, b.ClientDial, trust)
}

// writeAndReadBy does the same for a client that connects in a way of its own.
func writeAndReadBy(b *bed.Bed, seed string, dial dialer, trust *x509.CertPool) {
	b.T.Helper()
	var secure *tls.Config
	if trust != nil {
		secure = &tls.Config{RootCAs: trust}
	}
	ctx, cancel := context.WithTimeout(b.T.Context(), time.Minute)
	defer cancel()
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress:  []string{seed},
		DisableCache: true,
		TLSConfig:    secure, // also tells the client which of a node's ports to use
		DialCtxFn: func(ctx context.Context, address string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
			conn, err := dial(ctx, "tcp", address)
			if err != nil || secure == nil {
				return conn, err
			}
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			config := secure.Clone()
			config.ServerName = host
			encrypted := tls.Client(conn, config)
			return encrypted, encrypted.HandshakeContext(ctx)
		},
	})
	if err != nil {
		b.T.Fatalf("connecting to %s: %v", seed, err)
	}
	defer client.Close()
	for i := range keys {
		key := fmt.Sprint("go-", i)
		if err := client.Do(ctx, client.B().Set().Key(key).Value(key).Build()).Error(); err != nil {
			b.T.Fatalf("writing %s: %v", key, err)
		}
	}
	for i := range keys {
		key := fmt.Sprint("go-", i)
		if got, err := client.Do(ctx, client.B().Get().Key(key).Build()).ToString(); err != nil || got != key {
			b.T.Fatalf("reading %s: %q, %v", key, got, err)
		}
	}
}

// writeAndReadByCLI does the same with valkey-cli -c.
func writeAndReadByCLI(b *bed.Bed, host, port string) {
	b.T.Helper()
	var commands strings.Builder
	for i := range keys {
		fmt.Fprintf(&commands, "SET cli-%d value-%d\nGET cli-%d\n", i, i, i)
	}
	out, err := b.Client("sh", "-c", fmt.Sprintf("valkey-cli -c -h %s -p %s <<'END'\n%sEND\n", host, port, commands.String()))
	if err != nil {
		b.T.Fatalf("valkey-cli: %v\n%s", err, out)
	}
	for i := range keys {
		if !strings.Contains(out, fmt.Sprintf("value-%d\n", i)) {
			b.T.Fatalf("valkey-cli did not read value-%d:\n%.2000s", i, out)
		}
	}
}

// busUsesPodAddresses reads from the nodes how they reach each other.
func busUsesPodAddresses(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	ips := map[string]bool{}
	for _, n := range c.Nodes() {
		ips[c.Pod(n).Status.PodIP] = true
	}
	for _, n := range c.Nodes() {
		for line := range strings.Lines(c.Valkey(n, "INFO", "replication")) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			switch {
			case name == "master_host" && !ips[value],
				strings.HasPrefix(name, "slave") && strings.HasPrefix(value, "ip=") && !ips[strings.TrimPrefix(strings.Split(value, ",")[0], "ip=")]:
				b.T.Errorf("%v replicates through %s", n, line)
			case name == "master_port" && value != "6379":
				b.T.Errorf("%v replicates through port %s", n, value)
			}
		}
		// Each link of the bus is up both ways, and the nodes at their ends are
		// known by their pods' addresses.
		links := strings.Count(c.Valkey(n, "CLUSTER", "LINKS"), "direction")
		if want := 2 * (len(c.Nodes()) - 1); links != want {
			b.T.Errorf("%v has %d links of the bus, not %d", n, links, want)
		}
		for line := range strings.Lines(c.Valkey(n, "CLUSTER", "NODES")) {
			address := strings.Fields(line)[1]
			ip, _, _ := strings.Cut(address, ":")
			if !ips[ip] || !strings.Contains(address, "@16379") {
				b.T.Errorf("%v knows a node at %s", n, address)
			}
		}
	}
}
