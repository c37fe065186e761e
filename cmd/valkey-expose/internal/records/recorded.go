package records

import (
	"encoding/json"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Recorded is what the read-back Job recorded of a cluster: endpoints.json of its
// ConfigMap.
type Recorded struct {
	Cluster   string         `json:"cluster"`
	Namespace string         `json:"namespace"`
	Nodes     []RecordedNode `json:"nodes"`

	byName map[string]RecordedNode
}

// RecordedNode is one node of it.
type RecordedNode struct {
	Node    string `json:"node"`
	Address string `json:"address,omitempty"` // of its load balancer
	Port    int    `json:"port"`
}

// Read reads the text of endpoints.json.
func Read(text []byte) (*Recorded, error) {
	r := new(Recorded)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("it is not the endpoints.json of the read-back Job: %w", err)
	}
	if r.Cluster == "" || len(r.Nodes) == 0 {
		return nil, fmt.Errorf("it is not the endpoints.json of the read-back Job: it names no cluster, or no node of it")
	}
	r.byName = map[string]RecordedNode{}
	for _, n := range r.Nodes {
		r.byName[n.Node] = n
	}
	return r, nil
}

// Is reports whether this is the record of the Plan's cluster.
func (r *Recorded) Is(p *schema.Plan) bool {
	return r.Cluster == p.Cluster && r.Namespace == p.Namespace
}

func (r *Recorded) node(name string) RecordedNode {
	if r == nil {
		return RecordedNode{}
	}
	return r.byName[name]
}
