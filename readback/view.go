package readback

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// clusterNode is a node as another reports it in CLUSTER NODES.
type clusterNode struct {
	port     int
	hostname string
	flags    string
}

// parseView reads CLUSTER NODES: one node a line, whose second field is
// ip:port@busport,hostname. An announced client port stands in place of the
// port. Nodes are keyed by IP, which is the pod's.
func parseView(text string) (map[string]clusterNode, error) {
	view := map[string]clusterNode{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 8 {
			return nil, fmt.Errorf("CLUSTER NODES has the line %q", strings.TrimSpace(line))
		}
		address, rest, _ := strings.Cut(fields[1], "@")
		_, hostname, _ := strings.Cut(rest, ",")
		hostname, _, _ = strings.Cut(hostname, ",")
		colon := strings.LastIndexByte(address, ':') // an IPv6 address has more
		if colon < 0 {
			return nil, fmt.Errorf("CLUSTER NODES has the address %q", fields[1])
		}
		port, err := strconv.Atoi(address[colon+1:])
		if err != nil {
			return nil, fmt.Errorf("CLUSTER NODES has the address %q", fields[1])
		}
		ip := address[:colon]
		if old, twice := view[ip]; twice && !isUnreachable(old.flags) && isUnreachable(fields[2]) {
			continue // an address used again: the old node is still listed
		}
		view[ip] = clusterNode{port: port, hostname: hostname, flags: fields[2]}
	}
	return view, nil
}

// isUnreachable reports a node that does not answer, or is not known yet.
func isUnreachable(flags string) bool {
	for flag := range strings.SplitSeq(flags, ",") {
		if flag == "fail" || flag == "noaddr" || flag == "handshake" {
			return true
		}
	}
	return false
}

// expectation is what every node is to report of a target.
type expectation struct {
	hostname string
	port     int // 0: any
}

// maxDifferences is how many are listed of one node's view: just after a change, every
// node is wrong about every other, and a thousand nodes have a million differences.
const maxDifferences = 3

// differences are where the nodes' views are not what is wanted.
type differences struct {
	unknown []string // nodes that one does not know, which the operator mends
	wrong   []string // what one reports of another
	leaving []string // either, by or of a node of a shard that the cluster gives up
}

func (d *differences) count() int { return len(d.unknown) + len(d.wrong) + len(d.leaving) }

func (d *differences) add(more differences) {
	d.unknown = append(d.unknown, more.unknown...)
	d.wrong = append(d.wrong, more.wrong...)
	d.leaving = append(d.leaving, more.leaving...)
}

// compareView lists what one node's view lacks, or maxDifferences of it.
func compareView(asked Target, view map[string]clusterNode, targets []Target, want func(Target) expectation) (d differences) {
	for _, t := range targets {
		if d.count() == maxDifferences {
			break
		}
		got, known := view[t.PodIP]
		expected := want(t)
		list, difference := &d.wrong, ""
		switch {
		case !known || isUnreachable(got.flags):
			list = &d.unknown
			difference = fmt.Sprintf("%s does not know %s (%s) as a running node", asked.Name, t.Name, t.PodIP)
		case got.hostname != expected.hostname:
			difference = fmt.Sprintf("%s reports hostname %q for %s, not %q", asked.Name, got.hostname, t.Name, expected.hostname)
		case expected.port != 0 && got.port != expected.port:
			difference = fmt.Sprintf("%s reports port %d for %s, not %d", asked.Name, got.port, t.Name, expected.port)
		default:
			continue
		}
		if asked.Draining || t.Draining {
			list = &d.leaving
		}
		*list = append(*list, difference)
	}
	return d
}

// announcedView is what the nodes are to report at the end.
func announcedView(a announcement) expectation {
	return expectation{hostname: a.hostname, port: cmp.Or(a.port, schema.ClientPort)}
}

// hostnamesView is what they are to report before clients are sent to hostnames.
func hostnamesView(a announcement) expectation { return expectation{hostname: a.hostname} }
