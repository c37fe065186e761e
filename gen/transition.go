package gen

import (
	"fmt"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Rendering is what one rendering of a directory does to the reach of the nodes.
type Rendering struct {
	Plan   *schema.Plan // nil: no cluster is exposed
	Inject string       // how the pods get the overlay; "" if no cluster is exposed
}

// overlays is how the overlay comes into the pods, "" if it does not.
func (r Rendering) overlays() string {
	if r.Inject == InjectNone {
		return ""
	}
	return r.Inject
}

// AnnouncedAtStart reports whether a pod that starts announces all that the Plan
// says, with no read-back after it: it has the overlay, and no port of its is
// Kubernetes' to choose.
func (r Rendering) AnnouncedAtStart() bool {
	return r.overlays() != "" && (!r.Plan.PrefersHostname() ||
		!slices.ContainsFunc(r.Plan.Nodes, func(n schema.Node) bool { return n.Port == 0 }))
}

// Transition is what changes for clients and pods from one rendering to the
// next. Nodes come in the order of their Plan.
type Transition struct {
	Old, New Rendering

	Settings []Setting
	Added    []schema.Node // exposed from now on
	Removed  []schema.Node // not any more
	Moved    []Move
	Renamed  []Rename
	Draining []schema.Node // served from now on only until they are empty

	// Rolls says that the operator creates every pod anew: the overlay comes
	// into them, or leaves them. Nothing else in a Plan needs it.
	Rolls bool

	// Untold says that running nodes go on announcing what they do: nothing
	// tells them otherwise, and no roll makes them anew.
	Untold bool

	// Refusals are what must not happen in one step.
	Refusals []Refusal
}

// Setting is a field of the Plan that holds for all nodes.
type Setting struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Move is a node with another port for clients; 0 is one that Kubernetes allocates.
type Move struct {
	Node    schema.Node // as it will be
	OldPort int
}

// Rename is a node with another announced hostname; "" is none.
type Rename struct {
	Node        schema.Node // as it will be
	OldHostname string
}

// Refusal is a change that breaks clients where it is made at once.
type Refusal struct {
	Reason string `json:"reason"`
	Step   string `json:"step,omitempty"` // the one to take first, "" if there is none

	Moves []Move `json:"-"` // where the change is to move ports
}

// CompareFiles works out the transition from the files that a directory holds
// to those that are rendered.
func CompareFiles(have, want []File) (Transition, error) {
	last, err := ReadRendering(have)
	if err != nil {
		return Transition{}, err
	}
	next, err := ReadRendering(want)
	if err != nil {
		return Transition{}, fmt.Errorf("what would be written: %w", err)
	}
	gone, err := lost(have, want)
	if err != nil {
		return Transition{}, err
	}
	t := Compare(last, next)
	if len(gone) > 0 {
		t.Refusals = slices.Insert(t.Refusals, 0, takesAway(gone))
	}
	return t, nil
}

// Compare works out the transition from the last rendering of a directory to
// the next. Another cluster, or one in another namespace, takes the place of the
// last with nothing in common.
func Compare(last, next Rendering) Transition {
	t := Transition{Old: last, New: next, Rolls: last.overlays() != next.overlays()}
	var before, after []schema.Node
	if last.Plan != nil {
		before = last.Plan.Nodes
	}
	if next.Plan != nil {
		after = next.Plan.Nodes
	}
	same := sameCluster(last.Plan, next.Plan)
	if same {
		t.Settings = settings(last.Plan, next.Plan)
	} else {
		t.Rolls = t.Rolls || next.overlays() != ""
	}
	old := map[string]schema.Node{}
	for _, n := range before {
		old[n.Name] = n
	}
	stays := map[string]bool{}
	for _, n := range after {
		o, was := old[n.Name]
		if !same || !was {
			t.Added = append(t.Added, n)
			continue
		}
		stays[n.Name] = true
		if o.Port != n.Port {
			t.Moved = append(t.Moved, Move{n, o.Port})
		}
		if o.Hostname != n.Hostname {
			t.Renamed = append(t.Renamed, Rename{n, o.Hostname})
		}
		if n.Draining && !o.Draining {
			t.Draining = append(t.Draining, n)
		}
	}
	for _, n := range before {
		if !stays[n.Name] {
			t.Removed = append(t.Removed, n)
		}
	}
	t.Untold = same && next.Plan.Readback == ReadbackNone && !t.Rolls &&
		(len(t.Renamed) > 0 || len(t.Moved) > 0 && next.Plan.PrefersHostname() || last.Plan.PreferredEndpointType != next.Plan.PreferredEndpointType)
	t.refuse(same)
	return t
}

func sameCluster(a, b *schema.Plan) bool {
	return a != nil && b != nil && a.Cluster == b.Cluster && a.Namespace == b.Namespace
}

// settings lists what differs. What a Plan of version 1 does not say is passed over.
func settings(last, next *schema.Plan) []Setting {
	all := []Setting{
		{"preferredEndpointType", last.PreferredEndpointType, next.PreferredEndpointType},
		{"serviceType", last.ServiceType, next.ServiceType},
		{"gateway", fmt.Sprint(last.Gateway), fmt.Sprint(next.Gateway)},
		{"tls", fmt.Sprint(last.TLS), fmt.Sprint(next.TLS)},
		{"readback", last.Readback, next.Readback},
	}
	if last.GatewayRef != nil && next.GatewayRef != nil {
		all = append(all, Setting{"gatewayRef", gatewayName(last.GatewayRef), gatewayName(next.GatewayRef)})
	}
	if knowsClass(last) {
		all = append(all, Setting{"loadBalancerClass", last.LoadBalancerClass, next.LoadBalancerClass})
	}
	return slices.DeleteFunc(all, func(s Setting) bool { return s.Old == s.New })
}

// gatewayName names a Gateway, and its listener if one is chosen.
func gatewayName(r *schema.GatewayRef) string {
	name := qualified(r.Namespace, r.Name)
	if r.SectionName != "" {
		name += ", section " + r.SectionName
	}
	return name
}

func knowsClass(p *schema.Plan) bool { return p.Version > 1 }
