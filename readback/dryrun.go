package readback

import (
	"encoding/json"

	"github.com/valkey-expose/valkey-expose/schema"
)

// print writes what a run would write and set.
func (r *run) print(what record, a *announcer) error {
	type node struct {
		Node string            `json:"node"`
		Pod  string            `json:"pod"`
		Set  map[string]string `json:"set"`
	}
	type configMap struct {
		Name string            `json:"name"`
		Data map[string]string `json:"data"`
	}
	var out struct {
		ConfigMap configMap                 `json:"configMap"`
		Status    []schema.ExternalEndpoint `json:"externalEndpoints"`
		Nodes     []node                    `json:"nodes"`
	}
	out.ConfigMap = configMap{schema.EndpointsName(r.Plan.Cluster), what.data}
	out.Status = what.endpoints
	out.Nodes = []node{}
	for i, have := range a.have {
		set := map[string]string{}
		for _, step := range []step{setNames, setRoute} {
			for _, s := range differing(have, step.want(a.want(a.targets[i]))) {
				set[s.Name] = s.Value
			}
		}
		if len(set) > 0 {
			out.Nodes = append(out.Nodes, node{a.targets[i].Name, a.targets[i].Pod, set})
		}
	}
	encoder := json.NewEncoder(r.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
