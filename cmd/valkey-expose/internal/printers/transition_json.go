package printers

import (
	"io"

	"github.com/valkey-expose/valkey-expose/gen/transition"
)

// changes is the JSON output.
type changes struct {
	Rolls       bool                 `json:"rollsPods"`
	Settings    []transition.Change  `json:"settings"`
	Added       []endpoint           `json:"added"`
	Removed     []endpoint           `json:"removed"`
	Moved       []move               `json:"moved"`
	Renamed     []rename             `json:"renamed"`
	Draining    []endpoint           `json:"draining"`
	Unannounced bool                 `json:"runningNodesNotTold"`
	Refused     []transition.Refusal `json:"refused"`
}

// move is a node with another port; one that is missing is allocated by Kubernetes.
type move struct {
	Node    string `json:"node"`
	OldPort int    `json:"oldPort,omitempty"`
	NewPort int    `json:"newPort,omitempty"`
}

// rename is a node with another hostname; one that is missing is not announced.
type rename struct {
	Node        string `json:"node"`
	OldHostname string `json:"oldHostname,omitempty"`
	NewHostname string `json:"newHostname,omitempty"`
}

// TransitionJSON says what a render changes, for programs.
func TransitionJSON(w io.Writer, t transition.Transition) error {
	// Lists are never null.
	out := changes{
		Rolls:       t.Rolls,
		Settings:    append([]transition.Change{}, t.Changes...),
		Added:       endpoints(t.New, t.Added),
		Removed:     endpoints(t.Old, t.Removed),
		Moved:       []move{},
		Renamed:     []rename{},
		Draining:    endpoints(t.New, t.Draining),
		Unannounced: t.Unannounced,
		Refused:     append([]transition.Refusal{}, t.Refusals...),
	}
	for _, m := range t.Moved {
		out.Moved = append(out.Moved, move{m.Node.Name, m.OldPort, m.Node.Port})
	}
	for _, r := range t.Renamed {
		out.Renamed = append(out.Renamed, rename{r.Node.Name, r.OldHost, r.Node.Host()})
	}
	return writeJSON(w, out)
}
