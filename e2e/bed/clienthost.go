package bed

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
)

// clientHost is the machine outside: it reaches the node's address and nothing
// else, and knows the names in its hosts file.
type clientHost struct {
	netns *podrunner.NetNS

	mu    sync.Mutex
	hosts map[string]string // name to address
}

const (
	clientHosts = runDir + "/client/hosts"
	emptyFile   = runDir + "/client/empty"
)

// Resolve makes names known on the client host as the node's address, as public
// DNS would.
func (b *Bed) Resolve(names ...string) {
	b.T.Helper()
	hosts := map[string]string{}
	for _, name := range names {
		hosts[name] = NodeIP
	}
	b.ResolveTo(hosts)
}

// ResolveTo makes names known on the client host, each with its address.
func (b *Bed) ResolveTo(hosts map[string]string) {
	b.T.Helper()
	h := b.outside
	h.mu.Lock()
	defer h.mu.Unlock()
	var file bytes.Buffer
	maps.Copy(h.hosts, hosts)
	for name, address := range h.hosts {
		fmt.Fprintln(&file, address, name)
	}
	if err := os.MkdirAll(filepath.Dir(clientHosts), 0o755); err != nil {
		b.T.Fatal(err)
	}
	// In place: the file is mounted where it is.
	if err := os.WriteFile(clientHosts, file.Bytes(), 0o644); err != nil {
		b.T.Fatal(err)
	}
}

// Client runs a command on the client host and returns what it printed.
func (b *Bed) Client(argv ...string) (string, error) {
	b.T.Helper()
	b.Resolve() // the hosts file must exist
	mounts := []podrunner.Mount{{From: clientHosts, To: "/etc/hosts"}}
	if b.NoNames {
		if err := os.WriteFile(emptyFile, nil, 0o644); err != nil {
			b.T.Fatal(err)
		}
		mounts = []podrunner.Mount{{From: emptyFile, To: "/etc/hosts"}, {From: emptyFile, To: "/etc/resolv.conf"}}
	}
	return podrunner.Sandbox{Argv: argv, Env: os.Environ(), Mounts: mounts}.Output(b.T.Context(), b.outside.netns)
}

// ClientDial connects from the client host, for clients that are Go libraries.
// It knows the same names as Client.
func (b *Bed) ClientDial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if net.ParseIP(host) == nil {
		b.outside.mu.Lock()
		ip := b.outside.hosts[host]
		b.outside.mu.Unlock()
		if ip == "" || b.NoNames {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		host = ip
	}
	// A socket belongs to the namespace of the thread that makes it.
	err = b.outside.netns.Do(func() (err error) {
		conn, err = new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(host, port))
		return err
	})
	return conn, err
}
