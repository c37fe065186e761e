package e2e

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// wrongAtMost is how long wrong redirects may be seen in all, there and back.
const wrongAtMost = 1500 * time.Millisecond

// Ip to hostname to ip again, while a client outside writes through every node:
// how long redirects are wrong is measured, and every acknowledged write is
// there at the end.
func TestReadbackUnderLoad(t *testing.T) {
	t.Parallel()
	b := start(t)
	// Valkey's default, with which gossip alone takes seconds.
	const config = `config: {cluster-node-timeout: "15000"}`
	// Without a domain, hostnames come and go as well: a node that preferred one it
	// has not heard of would send clients to "?".
	toIP := rendered(b, input(b, 3, "", config))
	toHostname := rendered(b, input(b, 3, hostnames, config))
	c := upWithoutJob(b, toIP)
	resolve(b, 3)

	h := hammer(b, c)
	var wrong []time.Duration
	for _, manifests := range []string{toHostname, toIP} {
		b.Apply(without(t, manifests, "Job"))
		runReadback(b, manifests).must(b, 0, "msg=done")
		wrong = append(wrong, h.wrongSince())
	}
	samples, written := h.stop()
	t.Logf("wrong redirects for %v on the way to hostnames, %v on the way back; %d answers, %d writes acknowledged",
		wrong[0].Round(time.Millisecond), wrong[1].Round(time.Millisecond), samples, written)
	if wrong[0]+wrong[1] > wrongAtMost {
		t.Errorf("redirects were wrong for %v", wrong)
	}
	if samples < 500 || written < 100 {
		t.Errorf("%d answers and %d writes are no load", samples, written)
	}
	for _, n := range c.Nodes() {
		s := settingsOf(c, n)
		if s["cluster-announce-client-port"] != "0" || s["cluster-preferred-endpoint-type"] != "ip" || s["cluster-announce-hostname"] != "" {
			t.Errorf("back at ip, %v has %v", n, s)
		}
		if got := c.Valkey(n, "CONFIG", "GET", "cluster-ping-interval"); got != "cluster-ping-interval\n0" {
			t.Errorf("%v keeps a setting: %q", n, got)
		}
	}
}

// load is a client outside with a connection to every node.
type load struct {
	b       *bed.Bed
	right   map[string]bool // redirects: to a pod, or to a hostname with its own port
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu                 sync.Mutex
	samples, written   int
	firstWrong, latest time.Time // wrong redirect
}

// hammer starts a load. It dials the node ports, which stay the same.
func hammer(b *bed.Bed, c *operator.Cluster) *load {
	b.T.Helper()
	ctx, cancel := context.WithCancel(b.T.Context())
	h := &load{b: b, right: map[string]bool{}, cancel: cancel}
	ports := map[operator.Node]string{}
	for _, n := range c.Nodes() {
		ports[n] = fmt.Sprint(service(b, n.Shard).Spec.Ports[n.Index].NodePort)
		h.right[net.JoinHostPort(c.Pod(n).Status.PodIP, "6379")] = true
		h.right[net.JoinHostPort(hostname(n.Shard), ports[n])] = true
		answers(b, hostname(n.Shard), ports[n])
	}
	for n, port := range ports {
		h.running.Go(func() { h.hit(ctx, n, net.JoinHostPort(hostname(n.Shard), port)) })
	}
	return h
}

// hit writes keys of all shards through one node: some are acknowledged, the
// others answered with a redirect.
func (h *load) hit(ctx context.Context, n operator.Node, address string) {
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress: []string{address}, ForceSingleClient: true, DisableRetry: true, DisableCache: true,
		DialCtxFn: func(ctx context.Context, address string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
			return h.b.ClientDial(ctx, "tcp", address)
		},
	})
	if err != nil {
		h.b.T.Errorf("connecting to %s: %v", address, err)
		return
	}
	defer client.Close()
	var acknowledged []string
	for i := 0; ctx.Err() == nil; i++ {
		key := fmt.Sprintf("load-%d-%d-%d", n.Shard, n.Index, i)
		err := client.Do(context.Background(), client.B().Set().Key(key).Value(key).Build()).Error()
		var refused *valkey.ValkeyError
		to, moved := "", false
		if errors.As(err, &refused) {
			to, moved = refused.IsMoved()
		}
		switch {
		case err == nil:
			acknowledged = append(acknowledged, key)
		case moved:
			h.redirected(to)
		default:
			h.b.T.Errorf("%v: %v", n, err)
			return
		}
		h.mu.Lock()
		h.samples++
		h.mu.Unlock()
		time.Sleep(2 * time.Millisecond) // the pace of one client, not a wait
	}
	for _, key := range acknowledged {
		if got, err := client.Do(context.Background(), client.B().Get().Key(key).Build()).ToString(); err != nil || got != key {
			h.b.T.Errorf("%s was acknowledged and is %q, %v", key, got, err)
			return
		}
	}
	h.mu.Lock()
	h.written += len(acknowledged)
	h.mu.Unlock()
}

// redirected notes where a client was sent.
func (h *load) redirected(to string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.right[to] {
		return
	}
	if host, _, _ := net.SplitHostPort(to); host == "" || host == "?" {
		h.b.T.Errorf("a client is sent to %q", to)
	}
	h.latest = time.Now()
	if h.firstWrong.IsZero() {
		h.firstWrong = h.latest
	}
}

// wrongSince is the time from the first wrong redirect to the last, since it was
// asked before.
func (h *load) wrongSince() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.latest.Sub(h.firstWrong)
	h.firstWrong, h.latest = time.Time{}, time.Time{}
	return d
}

// stop returns how many answers there were, and how many writes were acknowledged
// and are still there.
func (h *load) stop() (samples, written int) {
	h.cancel()
	h.running.Wait()
	return h.samples, h.written
}
