package transition

import "github.com/valkey-expose/valkey-expose/schema"

// Transition is what changes for clients and pods from one rendering to the
// next. Nodes come in the order of their Plan.
type Transition struct {
	Old, New *schema.Plan // nil: no cluster is exposed

	Changes  []Change
	Added    []schema.Node // exposed from now on
	Removed  []schema.Node // not any more
	Moved    []Move
	Renamed  []Rename
	Draining []schema.Node // served from now on only until they are empty

	// Rolls says that the operator creates every pod anew: the overlay comes
	// into them, or leaves them. Nothing else in a Plan needs it.
	Rolls bool

	// Unannounced says that running nodes go on announcing what they do: nothing
	// announces the change to them, and no roll makes them anew.
	Unannounced bool

	// Refusals are what must not happen in one step.
	Refusals []Refusal
}

// Change is another value of a field of the Plan that holds for all nodes.
type Change struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Move is a node with another port for clients; 0 is one that Kubernetes allocates.
type Move struct {
	Node    schema.Node // as it will be
	OldPort int
}

// Rename is a node with another announced hostname, or address in its place; "" is
// none, or one that is read back.
type Rename struct {
	Node    schema.Node // as it will be
	OldHost string
}

// Refusal is a change that breaks clients where it is made at once.
type Refusal struct {
	Reason string `json:"reason"`
	Step   string `json:"step,omitempty"` // the one to take first, "" if there is none

	Moves []Move `json:"-"` // where the change is to move ports
}
