package schema

// Settings of Valkey that announce a node to clients. Never others: an announced
// IP, port or bus port would replace the one that nodes reach each other by.
const (
	AnnounceNodename      = "cluster-announce-human-nodename"  // Valkey 7.2
	AnnounceHostname      = "cluster-announce-hostname"        // Valkey 7.0
	AnnounceClientPort    = "cluster-announce-client-port"     // Valkey 9.0; 0: none
	AnnounceClientTLSPort = "cluster-announce-client-tls-port" // Valkey 9.0; 0: none
	PreferredEndpointType = "cluster-preferred-endpoint-type"  // Valkey 7.0
)

// ClientPortSetting is the setting that announces the port of the listener
// clients use.
func (p *Plan) ClientPortSetting() string {
	if p.TLS {
		return AnnounceClientTLSPort
	}
	return AnnounceClientPort
}

// PrefersHostname reports whether clients are redirected to hostnames.
func (p *Plan) PrefersHostname() bool { return p.PreferredEndpointType == PreferHostname }
