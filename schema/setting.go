package schema

import (
	"slices"
	"strconv"
	"strings"
)

// Settings of Valkey that announce a node to clients. Never others: an announced
// IP, port or bus port would replace the one that nodes reach each other by.
const (
	AnnounceNodename      = "cluster-announce-human-nodename"  // Valkey 7.2
	AnnounceHostname      = "cluster-announce-hostname"        // Valkey 7.0
	AnnounceClientPort    = "cluster-announce-client-port"     // Valkey 9.0; 0: none
	AnnounceClientTLSPort = "cluster-announce-client-tls-port" // Valkey 9.0; 0: none
	PreferredEndpointType = "cluster-preferred-endpoint-type"  // Valkey 7.0
)

// Setting is a setting of Valkey with its value, as CONFIG SET takes them.
type Setting struct{ Name, Value string }

// NameSettings are what a node is called. They are harmless while nobody is sent to it.
// What is called nothing is "".
func NameSettings(nodename, hostname string) []Setting {
	return []Setting{
		{AnnounceNodename, nodename},
		{AnnounceHostname, hostname},
	}
}

// RouteSettings are where clients are redirected to: a hostname and a port, that of
// the listener with TLS if they use it; or the pod's IP, and its own port if the
// port is 0. They change together: a port alone would be handed out beside the
// pod's IP, where nobody serves it.
func RouteSettings(prefersHostname, tls bool, port int) []Setting {
	plainPort, tlsPort := port, 0
	if tls {
		plainPort, tlsPort = 0, port
	}
	endpointType := PreferIP
	if prefersHostname {
		endpointType = PreferHostname
	}
	return []Setting{
		{AnnounceClientPort, strconv.Itoa(plainPort)},
		{AnnounceClientTLSPort, strconv.Itoa(tlsPort)},
		{PreferredEndpointType, endpointType},
	}
}

// Given are the settings that say something: neither an empty name nor port 0.
func Given(settings []Setting) []Setting {
	return slices.DeleteFunc(slices.Clone(settings), func(s Setting) bool { return s.Value == "" || s.Value == "0" })
}

// ConfigLines are settings as lines of a valkey.conf.
func ConfigLines(settings []Setting) string {
	var text strings.Builder
	for _, s := range settings {
		text.WriteString(s.Name + " " + s.Value + "\n")
	}
	return text.String()
}
