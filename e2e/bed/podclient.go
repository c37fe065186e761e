package bed

import (
	"context"
	"fmt"
	"net"
	"os/exec"
)

// KeepInside drops what a pod of the test sends to the node's address and to load
// balancers', as where a Gateway lets nobody in from within: the way out and back in
// is closed. The pod's address is nobody else's later.
func (b *Bed) KeepInside(pod string) {
	b.T.Helper()
	rule := fmt.Sprintf("add rule ip fence prerouting ip saddr %s ip daddr { %s, %s } drop", b.WaitReady(pod).Status.PodIP, NodeIP, balancers)
	if out, err := exec.CommandContext(b.T.Context(), "nft", rule).CombinedOutput(); err != nil {
		b.T.Fatalf("nft %s: %v: %s", rule, err, out)
	}
}

// Exec runs a command in a pod of the test and returns what it printed.
func (b *Bed) Exec(pod string, argv ...string) (string, error) {
	return b.runner.Exec(b.T.Context(), b.Namespace, pod, argv...)
}

// PodDial connects from a pod of the test, for clients that are Go libraries: names
// are asked of the cluster's DNS.
func (b *Bed) PodDial(pod string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if net.ParseIP(host) == nil {
			if host, err = b.lookup(ctx, host); err != nil {
				return nil, err
			}
		}
		// A socket belongs to the namespace of the thread that makes it.
		err = b.runner.Inside(b.Namespace, pod, func() (err error) {
			conn, err = new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(host, port))
			return err
		})
		return conn, err
	}
}
