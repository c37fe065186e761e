package printers

import (
	"io"

	"github.com/valkey-expose/valkey-expose/gen"
)

// transition is the JSON output.
type transition struct {
	Rolls    bool          `json:"rollsPods"`
	Settings []gen.Setting `json:"settings"`
	Added    []endpoint    `json:"added"`
	Removed  []endpoint    `json:"removed"`
	Moved    []move        `json:"moved"`
	Renamed  []rename      `json:"renamed"`
	Draining []endpoint    `json:"draining"`
	Untold   bool          `json:"runningNodesNotTold"`
	Refused  []gen.Refusal `json:"refused"`
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
func TransitionJSON(w io.Writer, t gen.Transition) error {
	// Lists are never null.
	out := transition{
		Rolls:    t.Rolls,
		Settings: append([]gen.Setting{}, t.Settings...),
		Added:    endpoints(t.New.Plan, t.Added),
		Removed:  endpoints(t.Old.Plan, t.Removed),
		Moved:    []move{},
		Renamed:  []rename{},
		Draining: endpoints(t.New.Plan, t.Draining),
		Untold:   t.Untold,
		Refused:  append([]gen.Refusal{}, t.Refusals...),
	}
	for _, m := range t.Moved {
		out.Moved = append(out.Moved, move{m.Node.Name, m.OldPort, m.Node.Port})
	}
	for _, r := range t.Renamed {
		out.Renamed = append(out.Renamed, rename{r.Node.Name, r.OldHostname, r.Node.Hostname})
	}
	return writeJSON(w, out)
}
