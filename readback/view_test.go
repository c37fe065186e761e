package readback

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

const nodesText = `a1 10.0.0.1:31000@16379,shard-0.example.com myself,master - 0 0 1 connected 0-8191
b2 10.0.0.2:31001@16379,shard-0.example.com slave a1 0 1 1 connected
c3 [2001:db8::3]:6379@16379 master - 0 1 2 connected 8192-16383
d4 :0@0 master,noaddr - 0 1 3 disconnected
e5 10.0.0.2:6379@16379,old.example.com master,fail - 0 1 3 disconnected
`

func TestParseView(t *testing.T) {
	view, err := parseView(strings.ReplaceAll(nodesText, "[2001:db8::3]", "2001:db8::3"))
	if err != nil {
		t.Fatal(err)
	}
	for ip, want := range map[string]clusterNode{
		"10.0.0.1":    {31000, "shard-0.example.com", "myself,master"},
		"10.0.0.2":    {31001, "shard-0.example.com", "slave"}, // not the one that was there before
		"2001:db8::3": {6379, "", "master"},
	} {
		if view[ip] != want {
			t.Errorf("%s: %v, not %v", ip, view[ip], want)
		}
	}
	for _, text := range []string{"a1 10.0.0.1:31000@16379 master\n", "a1 nowhere master - 0 0 1 connected\n", "a1 10.0.0.1:x@1 master - 0 0 1 connected\n"} {
		if _, err := parseView(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestCompareView(t *testing.T) {
	targets := []Target{
		{Node: schema.Node{Name: "c-0-0", Hostname: "shard-0.example.com"}, PodIP: "10.0.0.1", Dial: 31000},
		{Node: schema.Node{Name: "c-0-1", Hostname: "shard-0.example.com"}, PodIP: "10.0.0.2", Dial: 31001},
	}
	plan := &schema.Plan{PreferredEndpointType: schema.PreferHostname}
	right := func() map[string]clusterNode {
		return map[string]clusterNode{"10.0.0.1": {31000, "shard-0.example.com", "master"}, "10.0.0.2": {31001, "shard-0.example.com", "slave"}}
	}
	for name, c := range map[string]struct {
		change         func(map[string]clusterNode)
		want           func(announcement) expectation
		unknown, wrong []string
	}{
		"right":     {func(map[string]clusterNode) {}, announcedView, nil, nil},
		"strangers": {func(v map[string]clusterNode) { v["10.0.0.9"] = clusterNode{6379, "", "master"} }, announcedView, nil, nil},
		"may have failed": {func(v map[string]clusterNode) {
			v["10.0.0.2"] = clusterNode{31001, "shard-0.example.com", "slave,fail?"}
		}, announcedView, nil, nil},
		"unknown": {func(v map[string]clusterNode) { delete(v, "10.0.0.2") }, announcedView, []string{"c-0-0 does not know c-0-1 (10.0.0.2) as a running node"}, nil},
		"failed": {func(v map[string]clusterNode) {
			v["10.0.0.2"] = clusterNode{31001, "shard-0.example.com", "slave,fail"}
		}, announcedView, []string{"c-0-0 does not know c-0-1 (10.0.0.2) as a running node"}, nil},
		"port of before":   {func(v map[string]clusterNode) { v["10.0.0.2"] = clusterNode{6379, "shard-0.example.com", "slave"} }, announcedView, nil, []string{"c-0-0 reports port 6379 for c-0-1, not 31001"}},
		"before the ports": {func(v map[string]clusterNode) { v["10.0.0.2"] = clusterNode{6379, "shard-0.example.com", "slave"} }, hostnamesView, nil, nil},
		"no hostname":      {func(v map[string]clusterNode) { v["10.0.0.2"] = clusterNode{31001, "", "slave"} }, hostnamesView, nil, []string{`c-0-0 reports hostname "" for c-0-1, not "shard-0.example.com"`}},
	} {
		t.Run(name, func(t *testing.T) {
			view := right()
			c.change(view)
			got := compareView(targets[0], view, targets, func(t Target) expectation { return c.want(announcementOf(plan, t)) })
			if !slices.Equal(got.unknown, c.unknown) || !slices.Equal(got.wrong, c.wrong) || len(got.leaving) > 0 {
				t.Errorf("%q; want %q, %q", got, c.unknown, c.wrong)
			}
			// The same, said by or of a node that goes, is nothing to wait for.
			for i := range targets {
				leaving := slices.Clone(targets)
				leaving[i].Draining = true
				got := compareView(leaving[0], view, leaving, func(t Target) expectation { return c.want(announcementOf(plan, t)) })
				if !slices.Equal(got.leaving, append(c.unknown, c.wrong...)) || len(got.unknown)+len(got.wrong) > 0 {
					t.Errorf("%s goes: %q", leaving[i].Name, got)
				}
			}
		})
	}
}

// Of a view that is wrong throughout, little is said.
func TestCompareViewSaysLittle(t *testing.T) {
	var targets []Target
	for i := range 100 {
		targets = append(targets, Target{Node: schema.Node{Name: fmt.Sprint("c-", i, "-0")}, PodIP: fmt.Sprint("10.0.0.", i)})
	}
	got := compareView(targets[0], nil, targets, func(Target) expectation { return expectation{} })
	if len(got.unknown) != maxDifferences || got.count() != maxDifferences {
		t.Errorf("%q", got)
	}
}

func TestCheckVersion(t *testing.T) {
	for info, want := range map[string]string{
		"redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:9.0.0\r\n":  "",
		"redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:10.1.0\r\n": "",
		"redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.3\r\n":  "runs Valkey 8.1.3: ",
		"redis_version:7.4.1\r\n": "runs Redis 7.4.1: ",
	} {
		switch err := checkVersion(info); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: %v", info, err)
		case err != nil && isTransient(err):
			t.Errorf("%v is taken to pass", err)
		}
	}
}
