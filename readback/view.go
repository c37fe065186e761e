package readback

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// seen is a node as another tells of it in CLUSTER NODES.
type seen struct {
	port     int
	hostname string
	flags    string
}

// parseView reads CLUSTER NODES: one node a line, whose second field is
// ip:port@busport,hostname. An announced client port stands in place of the
// port. Nodes are keyed by IP, which is the pod's.
func parseView(text string) (map[string]seen, error) {
	view := map[string]seen{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 8 {
			return nil, fmt.Errorf("CLUSTER NODES has the line %q", strings.TrimSpace(line))
		}
		endpoint, rest, _ := strings.Cut(fields[1], "@")
		_, hostname, _ := strings.Cut(rest, ",")
		hostname, _, _ = strings.Cut(hostname, ",")
		colon := strings.LastIndexByte(endpoint, ':') // an IPv6 address has more
		if colon < 0 {
			return nil, fmt.Errorf("CLUSTER NODES has the address %q", fields[1])
		}
		port, err := strconv.Atoi(endpoint[colon+1:])
		if err != nil {
			return nil, fmt.Errorf("CLUSTER NODES has the address %q", fields[1])
		}
		ip := endpoint[:colon]
		if old, twice := view[ip]; twice && !gone(old.flags) && gone(fields[2]) {
			continue // an address used again: the old node is still listed
		}
		view[ip] = seen{port: port, hostname: hostname, flags: fields[2]}
	}
	return view, nil
}

// gone tells of a node that does not answer, or is not known yet.
func gone(flags string) bool {
	for flag := range strings.SplitSeq(flags, ",") {
		if flag == "fail" || flag == "noaddr" || flag == "handshake" {
			return true
		}
	}
	return false
}

// expectation is what every node shall tell of a target.
type expectation struct {
	hostname string
	port     int // 0: any
}

// mostSaid is how much is said of one node's view: just after a change, every
// node is wrong about every other, and a thousand would have a million to say.
const mostSaid = 3

// differences are what the nodes tell otherwise than is wanted.
type differences struct {
	unknown []string // nodes that one does not know of, which the operator mends
	wrong   []string // what one tells of another
	leaving []string // either, by or of a node of a shard that the cluster gives up
}

func (d *differences) count() int { return len(d.unknown) + len(d.wrong) + len(d.leaving) }

func (d *differences) add(more differences) {
	d.unknown = append(d.unknown, more.unknown...)
	d.wrong = append(d.wrong, more.wrong...)
	d.leaving = append(d.leaving, more.leaving...)
}

// compareView says what one node's view lacks, or mostSaid of it.
func compareView(asked Target, view map[string]seen, targets []Target, want func(Target) expectation) (d differences) {
	for _, t := range targets {
		if d.count() == mostSaid {
			break
		}
		got, known := view[t.PodIP]
		expected := want(t)
		list, difference := &d.wrong, ""
		switch {
		case !known || gone(got.flags):
			list = &d.unknown
			difference = fmt.Sprintf("%s does not know %s (%s) as a running node", asked.Name, t.Name, t.PodIP)
		case got.hostname != expected.hostname:
			difference = fmt.Sprintf("%s tells of %s the hostname %q, not %q", asked.Name, t.Name, got.hostname, expected.hostname)
		case expected.port != 0 && got.port != expected.port:
			difference = fmt.Sprintf("%s tells of %s the port %d, not %d", asked.Name, t.Name, got.port, expected.port)
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

// finally is what the nodes shall tell at the end.
func finally(a announcement) expectation {
	return expectation{hostname: a.hostname, port: cmp.Or(a.port, schema.ClientPort)}
}

// named is what they shall tell before clients are sent to hostnames.
func named(a announcement) expectation { return expectation{hostname: a.hostname} }
