package e2e

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/valkey-io/valkey-go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// failoverTakes is how long a shard may go unserved: with the operator's node
// timeout of two seconds a failover that nobody prepares takes some six, and a
// machine that is busy is given the same again and more.
const failoverTakes = 20 * time.Second

// traffic is a client that writes new keys and reads old ones without a pause,
// following redirects, until it is stopped.
type traffic struct {
	b       *bed.Bed
	outside bool           // reaches the node's address and nothing else
	dial    dialer         // of a client elsewhere; nil is of one of these
	trust   *x509.CertPool // for a cluster with TLS
	prefix  string
	stop    context.CancelFunc
	running sync.WaitGroup

	client valkey.Client

	mu           sync.Mutex
	acknowledged int
	longest      time.Duration // that one command had to be tried
	failed       error         // the last that had to be tried again
	during       string
}

// startTraffic writes keys that begin with a prefix. A client inside starts from
// the pods, one outside from what the Job has recorded.
func startTraffic(b *bed.Bed, prefix string, outside bool, trust *x509.CertPool) *traffic {
	b.T.Helper()
	f := &traffic{b: b, outside: outside, trust: trust, prefix: prefix}
	f.start()
	return f
}

// wrote tells whether that many writes were acknowledged.
func (f *traffic) wrote(count int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.acknowledged < count {
		return fmt.Errorf("%d are written", f.acknowledged)
	}
	return nil
}

// count is how many writes were acknowledged.
func (f *traffic) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.acknowledged
}

// fault is the last failure of a command, nil if all succeeded at once.
func (f *traffic) fault() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

func (f *traffic) start() {
	ctx, cancel := context.WithCancel(f.b.T.Context())
	f.stop = cancel
	f.running.Go(func() { f.run(ctx) })
	f.b.T.Cleanup(func() { cancel(); f.running.Wait() })
}

func (f *traffic) run(ctx context.Context) {
	defer f.close()
	for i := f.acknowledged; ctx.Err() == nil; i++ {
		written := f.do(ctx, fmt.Sprint("writing ", i), func(ctx context.Context) error {
			return f.client.Do(ctx, f.client.B().Set().Key(f.key(i)).Value(f.key(i)).Build()).Error()
		})
		if !written {
			return
		}
		f.mu.Lock()
		f.acknowledged = i + 1
		f.mu.Unlock()
		old := i * 7919 % (i + 1)
		f.do(ctx, fmt.Sprint("reading ", old), func(ctx context.Context) error { return f.read(ctx, old) })
		time.Sleep(2 * time.Millisecond) // the pace of one client, not a wait
	}
}

func (f *traffic) key(i int) string { return fmt.Sprintf("%s-%d", f.prefix, i) }

func (f *traffic) read(ctx context.Context, i int) error {
	return f.isThere(i, f.client.Do(ctx, f.client.B().Get().Key(f.key(i)).Build()))
}

func (f *traffic) isThere(i int, r valkey.ValkeyResult) error {
	got, err := r.ToString()
	if valkey.IsValkeyNil(err) || err == nil && got != f.key(i) {
		f.b.T.Errorf("%s was acknowledged and is %q, %v", f.key(i), got, err)
		return nil
	}
	return err
}

// do tries a command until it succeeds, with a new client each time, and notes how
// long that took. False: the traffic was stopped first.
func (f *traffic) do(ctx context.Context, what string, command func(context.Context) error) bool {
	began := time.Now()
	for {
		err := f.try(ctx, command)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return false
		}
		f.mu.Lock()
		f.failed = fmt.Errorf("%s: %w", what, err)
		f.mu.Unlock()
		if time.Since(began) > f.b.Patience {
			f.b.T.Errorf("%s: %v", what, err)
			return false
		}
		f.close()
		time.Sleep(50 * time.Millisecond)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if took := time.Since(began); took > f.longest {
		f.longest, f.during = took, what
	}
	return true
}

func (f *traffic) try(ctx context.Context, command func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if f.client == nil {
		seeds, err := f.seeds(ctx)
		if err != nil {
			return err
		}
		if f.client, err = newClusterClient(f.dialer(), seeds, f.trust); err != nil {
			return err
		}
	}
	return command(ctx)
}

func (f *traffic) close() {
	if f.client != nil {
		f.client.Close()
		f.client = nil
	}
}

func (f *traffic) seeds(ctx context.Context) ([]string, error) {
	if f.outside {
		m, err := f.b.Kube().CoreV1().ConfigMaps(f.b.Namespace).Get(ctx, "valkey-"+clusterName+"-external-endpoints", metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		return strings.Split(m.Data["bootstrap"], ","), nil
	}
	pods, err := f.b.Kube().CoreV1().Pods(f.b.Namespace).List(ctx, metav1.ListOptions{LabelSelector: "valkey.io/cluster=" + clusterName})
	if err != nil {
		return nil, err
	}
	var seeds []string
	for _, p := range pods.Items {
		if bed.IsReady(&p) {
			seeds = append(seeds, net.JoinHostPort(p.Status.PodIP, "6379"))
		}
	}
	if len(seeds) == 0 {
		return nil, fmt.Errorf("no pod is Ready")
	}
	return seeds, nil
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// dialer is how the client connects. Inside, pods are reached by their
// addresses, and announced names as by any client that resolves them.
func (f *traffic) dialer() dialer {
	if f.dial != nil {
		return f.dial
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if !f.outside && strings.HasPrefix(address, "10.244.") {
			return new(net.Dialer).DialContext(ctx, network, address)
		}
		return f.b.ClientDial(ctx, network, address)
	}
}

// newClusterClient follows redirects.
func newClusterClient(dial dialer, seeds []string, trust *x509.CertPool) (valkey.Client, error) {
	var secure *tls.Config
	if trust != nil {
		secure = &tls.Config{RootCAs: trust}
	}
	return valkey.NewClient(valkey.ClientOption{
		InitAddress: seeds, DisableCache: true, TLSConfig: secure, ConnWriteTimeout: 2 * time.Second,
		DialCtxFn: func(ctx context.Context, address string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			conn, err := dial(ctx, "tcp", address)
			if err != nil || secure == nil {
				return conn, err
			}
			config := secure.Clone()
			if config.ServerName, _, err = net.SplitHostPort(address); err != nil {
				return nil, err
			}
			encrypted := tls.Client(conn, config)
			return encrypted, encrypted.HandshakeContext(ctx)
		},
	})
}

// end stops the traffic, and reads every acknowledged write once more.
func (f *traffic) end() {
	f.b.T.Helper()
	f.stop()
	f.running.Wait()
	defer f.close()
	for from := 0; from < f.acknowledged; from += 500 {
		f.do(f.b.T.Context(), "reading all", func(ctx context.Context) error {
			var gets valkey.Commands
			for i := from; i < min(from+500, f.acknowledged); i++ {
				gets = append(gets, f.client.B().Get().Key(f.key(i)).Build())
			}
			for i, r := range f.client.DoMulti(ctx, gets...) {
				if err := f.isThere(from+i, r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	f.b.T.Logf("%s: %d writes acknowledged; the longest outage was %v (%s)", f.prefix, f.acknowledged, f.longest.Round(time.Millisecond), f.during)
	if f.longest > failoverTakes {
		f.b.T.Errorf("%s: unserved for %v (%s)", f.prefix, f.longest, f.during)
	}
	if f.acknowledged < 100 {
		f.b.T.Errorf("%s: %d writes are no load", f.prefix, f.acknowledged)
	}
}
