package readback

import (
	"fmt"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// entry is one address of a load balancer or a Gateway: an IP, or a DNS name.
type entry struct{ ip, name string }

// withAddresses adds to the targets what they announce as their hostname where only a
// load balancer or the Gateway knows it. Reasons say what is not there yet, but for
// what withServices has said; an error is what no waiting mends.
func withAddresses(plan *schema.Plan, targets []Target, services []*corev1.Service, gateway *gateway) (announcing []Target, reasons []string, err error) {
	byName := make(map[string]*corev1.Service, len(services))
	for _, s := range services {
		byName[s.Name] = s
	}
	announcing = slices.Clone(targets)
	given := map[int]bool{} // shards that the cluster gives up, without an address
	for i := range announcing {
		t := &announcing[i]
		if !plan.AwaitsAddress(t.Node) {
			continue
		}
		var reason string
		var unusable error
		switch service := byName[t.Service]; {
		case plan.Gateway:
			t.Address, reason, unusable = gateway.address()
		case service != nil:
			t.Address, reason, unusable = balancerAddress(service)
		}
		switch {
		case t.Draining:
			given[t.Shard] = given[t.Shard] || t.Address == ""
		case unusable != nil:
			return nil, nil, unusable
		case reason != "" && !slices.Contains(reasons, reason):
			reasons = append(reasons, reason)
		}
	}
	return slices.DeleteFunc(announcing, func(t Target) bool { return given[t.Shard] }), reasons, nil
}

// balancerAddress is what the nodes behind a Service's load balancer announce, "" as
// long as it has nothing to announce.
func balancerAddress(s *corev1.Service) (address, reason string, err error) {
	var entries []entry
	for _, ingress := range s.Status.LoadBalancer.Ingress {
		entries = append(entries, entry{ingress.IP, ingress.Hostname})
	}
	address, other := announceable(entries)
	if address != "" || other == "" {
		return address, "", nil
	}
	if slices.Contains(s.Spec.IPFamilies, corev1.IPv4Protocol) {
		return "", fmt.Sprintf("service %s has no load balancer address yet but %s, which is no IPv4 address", s.Name, other), nil
	}
	return "", "", &AddressError{"service " + s.Name, other}
}

// announceable chooses what Valkey can announce as a hostname: a name, for it keeps up
// with addresses that change, before an IPv4 address. Other is an address that it
// cannot: an IPv6 address has colons.
func announceable(entries []entry) (host, other string) {
	for _, e := range entries {
		if e.name != "" {
			return e.name, ""
		}
	}
	for _, e := range entries {
		if ip, err := netip.ParseAddr(e.ip); err == nil && ip.Is4() {
			return e.ip, ""
		}
		if other == "" {
			other = e.ip
		}
	}
	return "", other
}

// AddressError is a load balancer or a Gateway with an address that no node can announce.
type AddressError struct{ Of, Address string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s has the address %s and neither an IPv4 address nor a name: Valkey cannot announce an IPv6 address, because it has colons; "+
		"give it an IPv4 address or a name, or set domain and preferredEndpointType: hostname", e.Of, e.Address)
}
