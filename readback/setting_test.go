package readback

import (
	"maps"
	"slices"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Whatever is set, and in whichever state a killed run left a node: a port is
// never announced beside the endpoint type ip, and in the end all is as wanted.
func TestStepsNeverAnnounceAPortAlone(t *testing.T) {
	target := Target{Node: schema.Node{Name: "c-0-0", Hostname: "shard-0.example.com"}, Dial: 31000}
	hostname := announcementOf(&schema.Plan{PreferredEndpointType: schema.PreferHostname}, target)
	secure := announcementOf(&schema.Plan{PreferredEndpointType: schema.PreferHostname, TLS: true}, target)
	ip := announcementOf(&schema.Plan{PreferredEndpointType: schema.PreferIP}, target)
	address := announcementOf(&schema.Plan{PreferredEndpointType: schema.PreferAddress}, Target{Node: schema.Node{Name: "c-0-0", Address: "192.0.2.1"}, Dial: 6379})
	all := []announcement{hostname, secure, address, ip, nothing}
	for i := range 3 * len(all) {
		from, killed := all[i/3], i%3
		for _, to := range all {
			have := map[string]string{
				schema.AnnounceNodename: "", schema.AnnounceHostname: "", schema.AnnounceClientPort: "0",
				schema.AnnounceClientTLSPort: "0", schema.PreferredEndpointType: schema.PreferIP,
			}
			reach := func(a announcement, killedAfter int) {
				t.Helper()
				for _, step := range steps(a.prefersHostname)[:killedAfter] {
					for _, s := range differing(have, step.want(a)) {
						have[s.Name] = s.Value
					}
					port := have[schema.AnnounceClientPort] + have[schema.AnnounceClientTLSPort]
					if hasPort := port != "00"; hasPort != (have[schema.PreferredEndpointType] == schema.PreferHostname) {
						t.Errorf("on the way from %v to %v: %v", from, to, have)
					}
					if have[schema.PreferredEndpointType] == schema.PreferHostname && have[schema.AnnounceHostname] == "" {
						t.Errorf("a hostname is preferred that is not there: %v", have)
					}
				}
			}
			reach(from, killed)
			reach(to, 2)
			want := map[string]string{}
			for _, step := range steps(to.prefersHostname) {
				for _, s := range step.want(to) {
					want[s.Name] = s.Value
				}
			}
			if !maps.Equal(have, want) {
				t.Errorf("from %v to %v: %v, not %v", from, to, have, want)
			}
		}
	}
}

func TestDiffering(t *testing.T) {
	want := []schema.Setting{{Name: "a", Value: "1"}, {Name: "b"}}
	for name, c := range map[string]struct {
		have map[string]string
		want []schema.Setting
	}{
		"unreadable": {nil, want},
		"none set":   {map[string]string{}, want[:1]},
		"same":       {map[string]string{"a": "1", "b": ""}, nil},
		"other":      {map[string]string{"a": "1", "b": "2"}, want[1:]},
	} {
		if got := differing(c.have, want); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

func TestUsualPingInterval(t *testing.T) {
	for have, want := range map[string]int{"0": 0, "1000": 1000, "100": 0, "50": 50} {
		if got, known := usual(map[string]string{pingInterval: have}); got != want || !known {
			t.Errorf("%s: %d, %v", have, got, known)
		}
	}
	if _, known := usual(nil); known {
		t.Error("an interval is known that was not read")
	}
}
