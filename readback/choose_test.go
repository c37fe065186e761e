package readback

import (
	"slices"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// nodes reads members from words such as "0-0:primary,outdated": healthy ones,
// whose data is not empty unless it is said.
func nodes(words ...string) []member {
	var all []member
	for _, w := range words {
		name, traits, _ := strings.Cut(w, ":")
		has := func(trait string) bool { return slices.Contains(strings.Split(traits, ","), trait) }
		all = append(all, member{
			Target:   Target{Node: schema.Node{Name: name, Shard: int(name[0] - '0')}, Pod: "pod-" + name},
			outdated: has("outdated"), healthy: !has("unhealthy"), primary: has("primary"), inSync: has("synced"), empty: has("empty"),
		})
	}
	return all
}

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		members                []member
		evict, by, why, locked string
	}{
		"a replica":                                    {nodes("0-0:primary", "0-1:synced,outdated"), "0-1", "", "", ""},
		"a replica before a primary":                   {nodes("0-0:primary,outdated", "0-1:synced", "1-0:primary", "1-1:synced,outdated"), "1-1", "", "", ""},
		"a primary after a takeover":                   {nodes("0-0:primary,outdated", "0-1:synced"), "0-0", "0-1", "", ""},
		"all of a fresh cluster, replicas first":       {nodes("0-0:primary,outdated,empty", "0-1:synced,outdated,empty"), "0-1", "", "", ""},
		"an empty node alone in its shard":             {nodes("0-0:primary,outdated,empty"), "0-0", "", "", ""},
		"the only copy":                                {nodes("0-0:primary,outdated"), "", "", "pod pod-0-0 was created before the policy was in force, and holds the only copy of its shard's data: it is not evicted", "pod-0-0"},
		"another shard's pod goes beside an only copy": {nodes("0-0:primary,outdated", "1-0:primary", "1-1:synced,outdated"), "1-1", "", "", ""},
		"slots not served":                             {nodes("0-0:primary,unhealthy", "0-1:synced,outdated"), "", "", "node 0-0 to see all slots served", ""},
		"another shard's replica out of sync":          {nodes("0-0:primary", "0-1:synced,outdated", "1-0:primary", "1-1:"), "", "", "node 1-1 to follow its primary", ""},
		"itself out of sync":                           {nodes("0-0:primary", "0-1:outdated"), "", "", "node 0-1 to follow its primary", ""},
		"a shard without primary":                      {nodes("0-0:synced", "0-1:synced,outdated"), "", "", "shard 0 to have a primary", ""},
		"a shard with two":                             {nodes("0-0:primary", "0-1:primary,outdated"), "", "", "shard 0 to have one primary", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := choose(c.members)
			called := func(m *member) string {
				if m == nil {
					return ""
				}
				return m.Name
			}
			if called(got.evict) != c.evict || called(got.by) != c.by {
				t.Errorf("evicts %q after %q, want %q after %q", called(got.evict), called(got.by), c.evict, c.by)
			}
			if c.why != "" && !slices.Contains(got.reasons, c.why) || strings.Join(got.blocked, " ") != c.locked {
				t.Errorf("%q, %q", got.reasons, got.blocked)
			}
		})
	}
}

// At the deadline each pod has its reason.
func TestEachPodThatIsNotEvictedHasItsReason(t *testing.T) {
	outdated := []string{"pod-0-0", "pod-1-0"}
	got := notEvicted(outdated, []string{"node 0-1 to follow its primary"}, nil)
	for i, pod := range outdated {
		if want := "pod " + pod + " was created before the policy was in force; before it is evicted, it waits for node 0-1 to follow its primary"; got[i] != want {
			t.Errorf("%q, not %q", got[i], want)
		}
	}
	alone := choose(nodes("0-0:primary,outdated", "1-0:primary,outdated"))
	if got := notEvicted(outdated, alone.reasons, alone.blocked); !slices.Equal(got, alone.reasons) || len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// A takeover is by a pod that stays, where there is one.
func TestTakeoverIsByAPodThatStays(t *testing.T) {
	got := choose(nodes("0-0:primary,outdated", "0-1:synced", "0-2:synced"))
	if got.by == nil || got.by.outdated {
		t.Errorf("%+v", got.by)
	}
}

func TestMemberTellsOfItself(t *testing.T) {
	const healthy = "cluster_state:ok\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:16384\r\n"
	const primary = "a 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-5460\nb 10.0.0.2:6379@16379 slave a 0 0 1 connected\n"
	const replica = "a 10.0.0.1:6379@16379 master - 0 0 1 connected 0-5460\nb 10.0.0.2:6379@16379 myself,slave a 0 0 1 connected\n"
	const alone = "a 10.0.0.1:6379@16379 myself,master - 0 0 0 connected\n"
	const synced = "role:slave\r\nmaster_link_status:up\r\nmaster_sync_in_progress:0\r\n"
	for name, c := range map[string]struct {
		cluster, nodes, info string
		want                 member
	}{
		"primary":              {healthy, primary, "role:master\r\n# Keyspace\r\ndb0:keys=1,expires=0\r\n", member{healthy: true, primary: true}},
		"empty primary":        {healthy, primary, "role:master\r\n# Keyspace\r\n", member{healthy: true, primary: true, empty: true}},
		"replica":              {healthy, replica, synced + "db0:keys=1\r\n", member{healthy: true, inSync: true}},
		"link down":            {healthy, replica, strings.Replace(synced, "up", "down", 1), member{healthy: true, empty: true}},
		"loading":              {healthy, replica, strings.Replace(synced, "progress:0", "progress:1", 1), member{healthy: true, empty: true}},
		"not joined":           {"cluster_state:fail\r\ncluster_slots_assigned:0\r\ncluster_slots_ok:0\r\n", alone, "role:master\r\n", member{empty: true}},
		"slots without a node": {strings.Replace(healthy, "assigned:16384", "assigned:16000", 1), primary, "role:master\r\n", member{primary: true, empty: true}},
		"a slot that fails":    {strings.Replace(healthy, "slots_ok:16384", "slots_ok:16000", 1), primary, "role:master\r\n", member{primary: true, empty: true}},
	} {
		var got member
		if err := got.parse(c.cluster, c.nodes, c.info); err != nil || got != c.want {
			t.Errorf("%s: %+v, want %+v: %v", name, got, c.want, err)
		}
	}
}

// Valkey's answers are verbatim strings. What their first line says is not missed:
// a cluster that seems to serve no slots would be waited for till the end.
func TestFirstLineOfAnAnswerIsRead(t *testing.T) {
	const cluster = "cluster_state:ok\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:16384\r\n"
	const nodes, info = "a 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-16383\n", "role:master\r\n"
	var m member
	if err := m.parse(plain("txt:"+cluster), plain("txt:"+nodes), plain("txt:"+info)); err != nil || !m.healthy || !m.primary {
		t.Errorf("%+v, %v", m, err)
	}
	if err := m.parse("txt:"+cluster, nodes, info); err == nil || !strings.Contains(err.Error(), "no cluster_state") {
		t.Errorf("a first line that is missed: %v", err)
	}
	if err := m.parse(cluster, nodes, "txt:"+info); err == nil || !strings.Contains(err.Error(), "no role") {
		t.Errorf("a first line that is missed: %v", err)
	}
}
