package transition

import "github.com/valkey-expose/valkey-expose/schema"

// Compare works out the transition from the Plan of the last rendering to that of
// the next; nil is a rendering that exposes no cluster. Another cluster, or one in
// another namespace, takes the place of the last with nothing in common.
func Compare(last, next *schema.Plan) Transition {
	t := Transition{Old: last, New: next, Rolls: rolled(last) != rolled(next)}
	same := sameCluster(last, next)
	if same {
		t.Changes = changes(last, next)
	} else {
		t.Rolls = t.Rolls || rolled(next) != ""
	}
	compareNodes(&t, same)
	t.Unannounced = same && next.Readback == schema.ReadbackNone && !t.Rolls &&
		(len(t.Renamed) > 0 || len(t.Moved) > 0 && next.PrefersHostname() || last.PreferredEndpointType != next.PreferredEndpointType)
	refuse(&t, same)
	return t
}

// compareNodes finds the nodes that come, go and change.
func compareNodes(t *Transition, same bool) {
	var before, after []schema.Node
	if t.Old != nil {
		before = t.Old.Nodes
	}
	if t.New != nil {
		after = t.New.Nodes
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
		if o.Host() != n.Host() {
			t.Renamed = append(t.Renamed, Rename{n, o.Host()})
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
}
