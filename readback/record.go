package readback

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Keys of the ConfigMap beside the file of each node.
const (
	endpointsKey = "endpoints.json" // every node, for tools
	bootstrapKey = "bootstrap"      // host:port of every node, for clients
)

// record is what is written down: nothing of it, and it is cleared.
type record struct {
	data      map[string]string         // of the ConfigMap
	endpoints []schema.ExternalEndpoint // of the status, by shard
}

func newRecord(plan *schema.Plan, targets []Target) (record, error) {
	data, err := configMapData(plan, targets)
	return record{data, externalEndpoints(plan, targets)}, err
}

// configMapData is what the ConfigMap holds: for the pods, with hostnames
// preferred, the part of their announcement that is in no static file; for
// people and tools, where each node is reached.
func configMapData(plan *schema.Plan, targets []Target) (map[string]string, error) {
	data := make(map[string]string, len(targets)+2)
	var bootstrap []string
	for _, t := range targets {
		if plan.PrefersHostname() {
			var name []schema.Setting
			if plan.PrefersAddress() { // else it stands in the static file
				name = append(name, schema.Setting{Name: schema.AnnounceHostname, Value: t.Node.Host()})
			}
			data[schema.AllocatedFile(t.Node)] =
				schema.ConfigLines(append(name, schema.Given(schema.RouteSettings(true, plan.TLS, t.Dial))...))
		}
		if host := t.Host(); host != "" {
			bootstrap = append(bootstrap, net.JoinHostPort(host, strconv.Itoa(t.Dial)))
		}
	}
	endpoints, err := endpointsText(plan, targets)
	if err != nil {
		return nil, err
	}
	data[endpointsKey] = endpoints
	if len(bootstrap) > 0 {
		data[bootstrapKey] = strings.Join(bootstrap, ",")
	}
	return data, nil
}

// nodeEndpoint is one node of endpoints.json. Its fields are named as in
// "valkey-expose endpoints --format json".
type nodeEndpoint struct {
	Node     string `json:"node"`
	Shard    int    `json:"shard"`
	Index    int    `json:"index"`
	Hostname string `json:"hostname,omitempty"`
	Address  string `json:"address,omitempty"` // announced in place of a hostname; else of the load balancer
	Port     int    `json:"port"`              // what a client dials
	Service  string `json:"service"`
}

// endpointsText is the list with one node a line, so that people can read it and
// a ConfigMap holds many.
func endpointsText(plan *schema.Plan, targets []Target) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "{\"cluster\":%q,\"namespace\":%q,\"preferredEndpointType\":%q,\"tls\":%t,\"nodes\":[",
		plan.Cluster, plan.Namespace, plan.PreferredEndpointType, plan.TLS)
	for i, t := range targets {
		e := nodeEndpoint{t.Name, t.Shard, t.Index, t.Hostname, t.Address, t.Dial, t.Service}
		if e.Address == "" && !t.Gateway { // nobody listens on a Gateway's port there
			e.Address = t.LoadBalancer
		}
		line, err := json.Marshal(e)
		if err != nil {
			return "", fmt.Errorf("writing %s: %w", endpointsKey, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return b.String(), nil
}

// externalEndpoints is the same for the ValkeyCluster's status, by shard.
func externalEndpoints(plan *schema.Plan, targets []Target) []schema.ExternalEndpoint {
	var shards []schema.ExternalEndpoint
	for _, t := range targets {
		if t.Index == 0 {
			shards = append(shards, schema.ExternalEndpoint{ShardIndex: t.Shard})
		}
		shard := &shards[len(shards)-1]
		address := cmp.Or(t.Address, t.LoadBalancer)
		if plan.PerNode() {
			shard.Hostnames = appendGiven(shard.Hostnames, t.Hostname)
			shard.Addresses = appendGiven(shard.Addresses, address)
		} else {
			shard.Hostname, shard.Address = t.Hostname, address
		}
		shard.Ports = append(shard.Ports, t.Dial)
		if t.NodePort != 0 {
			shard.NodePorts = append(shard.NodePorts, t.NodePort)
		}
	}
	return shards
}

// appendGiven appends what is not "".
func appendGiven(all []string, text string) []string {
	if text == "" {
		return all
	}
	return append(all, text)
}
