package bed

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"

	"github.com/vishvananda/netlink"

	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
)

// The addresses of the bed. The run's own network namespace is the node; the
// client host hangs on a cable of its own and has no other route.
const (
	nodeName    = "bed-node"
	NodeIP      = "172.31.0.1"
	clientIP    = "172.31.0.2"
	PodGateway  = "10.244.0.1"
	podCIDR     = "10.244.0.0/16"
	serviceCIDR = "10.96.0.0/16"
	clientCable = "to-client"

	// balancers are the addresses of load balancers, 172.31.0.128 and on.
	balancers = "172.31.0.128/25"
)

// fence drops what the client host sends to anything but the node's address and load balancers':
// a redirect to a pod's address must fail outside as it does in life.
const fence = `table ip fence {
	chain prerouting {
		type filter hook prerouting priority -300
		iifname "` + clientCable + `" ip daddr != { ` + NodeIP + `, ` + balancers + ` } drop
	}
}
`

// network makes the node's side and returns the client host's namespace.
func network(ctx context.Context) (*podrunner.NetNS, error) {
	for _, name := range []string{"net/ipv4/ip_forward", "net/ipv4/conf/all/route_localnet"} {
		if err := os.WriteFile("/proc/sys/"+name, []byte("1"), 0o644); err != nil {
			return nil, fmt.Errorf("setting %s: %w", name, err)
		}
	}
	lo, err := netlink.LinkByName("lo")
	if err != nil {
		return nil, fmt.Errorf("finding lo: %w", err)
	}
	if err := netlink.LinkSetUp(lo); err != nil {
		return nil, fmt.Errorf("bringing up lo: %w", err)
	}
	// A bridge without ports: not every kernel has dummy interfaces.
	pods := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: "pods"}}
	if err := addLink(pods, PodGateway+"/32"); err != nil {
		return nil, err
	}
	// Without a route a process on the node cannot pick a source address for a
	// Service, and never gets as far as kube-proxy's rules.
	if err := addRoute(serviceCIDR, pods.Index); err != nil {
		return nil, err
	}
	client, err := podrunner.NewNetNS()
	if err != nil {
		return nil, err
	}
	if err := client.Connect(clientCable, NodeIP+"/24", clientIP+"/24", ""); err != nil {
		return nil, fmt.Errorf("connecting the client host: %w", err)
	}
	cmd := exec.CommandContext(ctx, "nft", "-f", "-")
	cmd.Stdin = strings.NewReader(fence)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("fencing off the client host: %w: %s", err, out)
	}
	return client, nil
}

func addLink(link netlink.Link, address string) error {
	name := link.Attrs().Name
	if err := netlink.LinkAdd(link); err != nil {
		return fmt.Errorf("adding %s: %w", name, err)
	}
	addr, err := netlink.ParseAddr(address)
	if err != nil {
		return err
	}
	if err := netlink.AddrAdd(link, addr); err != nil {
		return fmt.Errorf("giving %s the address %s: %w", name, address, err)
	}
	return netlink.LinkSetUp(link)
}

func addRoute(cidr string, link int) error {
	_, dst, err := net.ParseCIDR(cidr)
	if err != nil {
		return err
	}
	if err := netlink.RouteAdd(&netlink.Route{LinkIndex: link, Dst: dst}); err != nil {
		return fmt.Errorf("routing %s: %w", cidr, err)
	}
	return nil
}
