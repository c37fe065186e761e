package podrunner

import (
	"fmt"
	"net"
	"runtime"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// A NetNS is a network namespace without a name, held by a file descriptor. It
// goes when it is closed and its last process has ended.
type NetNS struct{ handle netns.NsHandle }

// NewNetNS makes a namespace whose loopback interface is up.
func NewNetNS() (*NetNS, error) {
	var made netns.NsHandle
	err := onOwnThread(func() (err error) {
		made, err = netns.New()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("making a network namespace: %w", err)
	}
	n := &NetNS{handle: made}
	h, err := netlink.NewHandleAt(made)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	lo, err := h.LinkByName("lo")
	if err != nil {
		return nil, err
	}
	return n, h.LinkSetUp(lo)
}

// Close lets go of the namespace; the kernel removes its end of the cable, and
// with that the other.
func (n *NetNS) Close() error { return n.handle.Close() }

// Do runs f on a thread inside the namespace. Sockets that f opens and processes
// that it starts stay there.
func (n *NetNS) Do(f func() error) error {
	return onOwnThread(func() error {
		if err := netns.Set(n.handle); err != nil {
			return fmt.Errorf("entering a network namespace: %w", err)
		}
		return f()
	})
}

// onOwnThread runs f on a thread that is never used again: a thread that has
// changed its namespace must not go back to the scheduler.
func onOwnThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		done <- f()
	}()
	return <-done
}

// Connect lays a cable named name from the current namespace into n, where it is
// eth0. Both addresses are in CIDR notation; gateway, if not empty, becomes n's
// default route, also when it is outside eth0's own network.
func (n *NetNS) Connect(name, outer, inner, gateway string) error {
	cable := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: name}, PeerName: name + "-p"}
	if err := netlink.LinkAdd(cable); err != nil {
		return fmt.Errorf("adding %s: %w", name, err)
	}
	peer, err := netlink.LinkByName(cable.PeerName)
	if err != nil {
		return err
	}
	if err := netlink.LinkSetNsFd(peer, int(n.handle)); err != nil {
		return err
	}
	if outer != "" {
		if err := setAddress(&netlink.Handle{}, cable, outer); err != nil {
			return err
		}
	}
	if err := netlink.LinkSetUp(cable); err != nil {
		return err
	}
	h, err := netlink.NewHandleAt(n.handle)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.LinkSetName(peer, "eth0"); err != nil {
		return err
	}
	if err := setAddress(h, peer, inner); err != nil {
		return err
	}
	if err := h.LinkSetUp(peer); err != nil {
		return err
	}
	if gateway == "" {
		return nil
	}
	gw := net.ParseIP(gateway)
	host := &net.IPNet{IP: gw, Mask: net.CIDRMask(32, 32)}
	if err := h.RouteAdd(&netlink.Route{LinkIndex: peer.Attrs().Index, Dst: host, Scope: unix.RT_SCOPE_LINK}); err != nil {
		return fmt.Errorf("routing to the gateway: %w", err)
	}
	return h.RouteAdd(&netlink.Route{LinkIndex: peer.Attrs().Index, Gw: gw})
}

func setAddress(h *netlink.Handle, link netlink.Link, address string) error {
	addr, err := netlink.ParseAddr(address)
	if err != nil {
		return err
	}
	if err := h.AddrAdd(link, addr); err != nil {
		return fmt.Errorf("giving %s the address %s: %w", link.Attrs().Name, address, err)
	}
	return nil
}
