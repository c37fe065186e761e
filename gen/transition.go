package gen

import (
	"fmt"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Rendering is what one rendering of a directory does to the reach of the nodes.
type Rendering struct {
	Plan   *schema.Plan // nil: no cluster is exposed
	Inject string       // how the pods get the overlay; "" if no cluster is exposed
}

// NewRendering is what rendering the documents does; at most one cluster of them
// is exposed.
func NewRendering(documents []schema.Document, o Options) Rendering {
	for _, d := range Exposed(documents) {
		plan := NewPlan(d.Cluster, o)
		return Rendering{&plan, o.Inject}
	}
	return Rendering{}
}

// overlays is how the overlay comes into the pods, "" if it does not.
func (r Rendering) overlays() string {
	if r.Inject == InjectNone {
		return ""
	}
	return r.Inject
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

	// Rolls says that the operator creates every pod anew: the overlay comes
	// into them, or leaves them. Nothing else in a Plan needs it.
	Rolls bool

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
	}
	for _, n := range before {
		if !stays[n.Name] {
			t.Removed = append(t.Removed, n)
		}
	}
	t.refuse(same)
	return t
}

func sameCluster(a, b *schema.Plan) bool {
	return a != nil && b != nil && a.Cluster == b.Cluster && a.Namespace == b.Namespace
}

func settings(last, next *schema.Plan) []Setting {
	var all []Setting
	for _, s := range []Setting{
		{"preferredEndpointType", last.PreferredEndpointType, next.PreferredEndpointType},
		{"serviceType", last.ServiceType, next.ServiceType},
		{"gateway", fmt.Sprint(last.Gateway), fmt.Sprint(next.Gateway)},
		{"tls", fmt.Sprint(last.TLS), fmt.Sprint(next.TLS)},
	} {
		if s.Old != s.New {
			all = append(all, s)
		}
	}
	return all
}

// refuse finds what must not happen in one step.
//
// A hostname must not go while clients are sent to it: until the announcement
// has changed on every node, redirects lead nowhere. A shard that is scaled in
// takes its hostname with it, and no redirect leads there any more.
//
// A port must not move unasked where clients are sent to it, nor where one fixed
// port takes the place of another: seeds, firewalls and listeners name it. With
// ip, to or from ports that Kubernetes allocates, there is another way in
// altogether, and nobody is sent there.
func (t *Transition) refuse(same bool) {
	last := t.Old.Plan
	if last == nil {
		return
	}
	if dropped := t.dropped(same); len(dropped) > 0 && last.PrefersHostname() {
		of := ""
		if t.New.Plan != nil && !same {
			of = " of " + qualified(last.Namespace, last.Cluster)
		}
		t.Refusals = append(t.Refusals, Refusal{
			Reason: "drops hostnames that clients are sent to: " + some(dropped),
			Step:   ipFirst(of),
		})
	}
	if same && last.PrefersHostname() && t.Old.overlays() != "" && t.New.overlays() == "" {
		t.Refusals = append(t.Refusals, Refusal{
			Reason: "takes out of the pods what announces the hostnames that clients are sent to",
			Step:   ipFirst(""),
		})
	}
	if same && t.Old.Inject == InjectAdmission && t.New.Inject == InjectPatch {
		t.Refusals = append(t.Refusals, Refusal{Reason: "takes the ValkeyCluster away, which a pipeline that prunes deletes: with patch the workloads are your own"})
	}
	moved := 0
	for _, m := range t.Moved {
		if last.PrefersHostname() || m.OldPort != 0 && m.Node.Port != 0 {
			moved++
		}
	}
	if moved > 0 {
		t.Refusals = append(t.Refusals, Refusal{Reason: fmt.Sprintf("moves the port of %s", count(moved, "node"))})
	}
}

// ipFirst is the step that sends clients back to pod IPs.
func ipFirst(of string) string {
	return "set preferredEndpointType: ip" + of + " and leave all else as it was; render, apply, and let the read-back Job end"
}

// dropped lists the hostnames that nodes announce no more, less those of shards
// that are scaled in.
func (t *Transition) dropped(same bool) []string {
	var all []string
	add := func(hostname string) { // the nodes of a shard share it, one after another
		if hostname != "" && (len(all) == 0 || all[len(all)-1] != hostname) {
			all = append(all, hostname)
		}
	}
	if !same {
		for _, n := range t.Removed {
			add(n.Hostname)
		}
	}
	for _, r := range t.Renamed {
		add(r.OldHostname)
	}
	return all
}

// some lists a few of many.
func some(names []string) string {
	const most = 3
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return strings.Join(names, ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
