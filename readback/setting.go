package readback

import (
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// announced are the names of the settings that this program reads, and sets.
var announced = func() []string {
	names := []string{pingInterval}
	for _, s := range slices.Concat(schema.NameSettings("", ""), schema.RouteSettings(false, false, 0)) {
		names = append(names, s.Name)
	}
	return names
}()

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
	a := announcement{nodename: t.Name, hostname: t.Node.Host(), tls: plan.TLS, prefersHostname: plan.PrefersHostname()}
	if a.prefersHostname {
		a.port = t.Dial
	}
	return a
}

// A step of announcing sets some settings on all nodes before the next begins.
type step struct {
	name string
	want func(announcement) []schema.Setting
}

// Names are harmless while nobody is sent to them.
var setNames = step{"names", func(a announcement) []schema.Setting {
	return schema.NameSettings(a.nodename, a.hostname)
}}

// The ports and the endpoint type change in one command.
var setRoute = step{"ports and endpoint type", func(a announcement) []schema.Setting {
	return schema.RouteSettings(a.prefersHostname, a.tls, a.port)
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
func differing(have map[string]string, want []schema.Setting) []schema.Setting {
	if have == nil {
		return want
	}
	var differ []schema.Setting
	for _, s := range want {
		if have[s.Name] != s.Value {
			differ = append(differ, s)
		}
	}
	return differ
}
