package readback

import (
	"strconv"

	"github.com/valkey-expose/valkey-expose/schema"
)

// setting is one of Valkey's settings.
type setting struct{ name, value string }

// announced are the settings that this program reads, and sets.
var announced = []string{
	schema.AnnounceNodename, schema.AnnounceHostname, schema.AnnounceClientPort,
	schema.AnnounceClientTLSPort, schema.PreferredEndpointType, pingInterval,
}

// An announcement is what a node shall announce.
type announcement struct {
	nodename, hostname string
	port               int  // of clients; 0: none, clients use the node's own
	tls                bool // the port is the TLS one
	prefersHostname    bool
}

// nothing is Valkey's default.
var nothing announcement

func announcementOf(plan *schema.Plan, t Target) announcement {
	a := announcement{nodename: t.Name, hostname: t.Hostname, tls: plan.TLS, prefersHostname: plan.PrefersHostname()}
	if a.prefersHostname {
		a.port = t.Dial
	}
	return a
}

// A step of announcing sets some settings on all nodes before the next begins.
type step struct {
	name string
	want func(announcement) []setting
}

// Names are harmless while nobody is sent to them.
var setNames = step{"names", func(a announcement) []setting {
	return []setting{{schema.AnnounceNodename, a.nodename}, {schema.AnnounceHostname, a.hostname}}
}}

// The ports and the endpoint type change in one command: a port alone would be
// handed out beside the pod's IP, where nobody serves it.
var setRoute = step{"ports and endpoint type", func(a announcement) []setting {
	plain, tls := strconv.Itoa(a.port), "0"
	if a.tls {
		plain, tls = tls, plain
	}
	endpointType := schema.PreferIP
	if a.prefersHostname {
		endpointType = schema.PreferHostname
	}
	return []setting{
		{schema.AnnounceClientPort, plain}, {schema.AnnounceClientTLSPort, tls},
		{schema.PreferredEndpointType, endpointType},
	}
}}

// steps are in an order in which no node is ever preferred by a hostname it does
// not have: names go first when clients are to be sent to them, and last when
// they are not.
func steps(prefersHostname bool) []step {
	if prefersHostname {
		return []step{setNames, setRoute}
	}
	return []step{setRoute, setNames}
}

// differing are the settings that a node does not have yet. Have is nil for a
// node whose settings may not be read: then all are.
func differing(have map[string]string, want []setting) []setting {
	if have == nil {
		return want
	}
	var differ []setting
	for _, s := range want {
		if have[s.name] != s.value {
			differ = append(differ, s)
		}
	}
	return differ
}
