package printers

import (
	"encoding/json"
	"io"

	"github.com/valkey-expose/valkey-expose/schema"
)

// endpoint is where clients reach a node, in JSON.
type endpoint struct {
	Cluster     string `json:"cluster"`
	Namespace   string `json:"namespace,omitempty"`
	Node        string `json:"node"`
	Shard       int    `json:"shard"`
	Index       int    `json:"index"`
	Role        string `json:"roleAtCreation"`
	Hostname    string `json:"hostname,omitempty"`
	Address     string `json:"address,omitempty"` // announced in place of a hostname
	Port        int    `json:"port,omitempty"`    // missing: allocated by Kubernetes
	Service     string `json:"service"`
	ServicePort int    `json:"servicePort"`
}

// EndpointsJSON lists where clients reach each node, for programs.
func EndpointsJSON(w io.Writer, plans []schema.Plan) error {
	rows := []endpoint{}
	for _, plan := range plans {
		rows = append(rows, endpoints(&plan, plan.Nodes)...)
	}
	return writeJSON(w, rows)
}

// endpoints are those of nodes of a Plan, never null in JSON.
func endpoints(plan *schema.Plan, nodes []schema.Node) []endpoint {
	rows := []endpoint{}
	for _, n := range nodes {
		rows = append(rows, endpoint{
			Cluster: plan.Cluster, Namespace: plan.Namespace,
			Node: n.Name, Shard: n.Shard, Index: n.Index, Role: n.Role(),
			Hostname: n.Hostname, Address: n.Address, Port: n.Port,
			Service: n.Service, ServicePort: n.ServicePort,
		})
	}
	return rows
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
