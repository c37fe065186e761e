// Package records works out the DNS records that clients outside need: from the
// Plan, from what the read-back Job recorded, and from addresses that are given.
package records

import (
	"fmt"
	"net/netip"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Set are the records of one cluster.
type Set struct {
	Plan  *schema.Plan
	Names []Name
}

// Name is one announced name.
type Name struct {
	Hostname string
	Ports    []int    // that clients dial; 0 is one that Kubernetes allocates
	Service  string   // of the first node that announces it
	Targets  []string // IP addresses, or one name; none: not known
}

// Of are the records of a cluster: the addresses recorded for its nodes, else those
// given. The recorded ones may be nil.
func Of(p *schema.Plan, recorded *Recorded, given []string) (Set, error) {
	set := Set{Plan: p}
	if len(given) > 0 && !p.Gateway && p.ServiceType == schema.LoadBalancer {
		return set, fmt.Errorf("--address: each load balancer of ValkeyCluster %s has an address of its own: give --endpoints, the record of the read-back Job",
			schema.QualifiedName(p.Namespace, p.Cluster))
	}
	for _, name := range plan.Names(p) {
		n := Name{Hostname: name.Hostname, Service: name.Nodes[0].Service}
		known := map[string]bool{}
		for _, node := range name.Nodes {
			r := recorded.node(node.Name)
			port := node.Port
			if port == 0 {
				port = r.Port
			}
			n.Ports = append(n.Ports, port)
			if r.Address != "" && !known[r.Address] {
				known[r.Address] = true
				n.Targets = append(n.Targets, r.Address)
			}
		}
		if len(n.Targets) == 0 {
			n.Targets = given
		}
		if err := together(n.Targets); err != nil {
			return set, fmt.Errorf("%s: %w", n.Hostname, err)
		}
		set.Names = append(set.Names, n)
	}
	return set, nil
}

// Type is the type of the record that leads to a target.
func Type(target string) string {
	address, err := netip.ParseAddr(target)
	switch {
	case err != nil:
		return "CNAME"
	case address.Unmap().Is4():
		return "A"
	}
	return "AAAA"
}

// together holds targets of one name to RFC 1034, section 3.6.2: a CNAME stands alone.
func together(targets []string) error {
	for _, target := range targets {
		if len(targets) > 1 && Type(target) == "CNAME" {
			return fmt.Errorf("leads to the name %s and to others: a CNAME stands alone", target)
		}
	}
	return nil
}
