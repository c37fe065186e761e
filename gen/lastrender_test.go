package gen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestReadPlan: what was rendered is read back as it was.
func TestReadPlan(t *testing.T) {
	for _, way := range inject.Ways() {
		documents := []schema.Document{{
			APIVersion: schema.APIVersion, Kind: schema.Kind, Name: "orders",
			Source: []byte("kind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec:\n  shards: 12\n  externalAccess: {enabled: true}\n"),
			Cluster: &schema.Cluster{
				Name: "orders", Namespace: "shop", Shards: 12,
				ExternalAccess: &schema.ExternalAccess{Enabled: true, Domain: "example.com"},
			},
		}}
		o := Defaults()
		o.Inject, o.ReadbackImage = way.Name, "i"
		base, err := New(documents, o).Base()
		if err != nil {
			t.Fatal(err)
		}
		got, err := readPlan(base.Files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(base.Plan, got); diff != "" || got.Inject != way.Name {
			t.Errorf("%s: -rendered +read:\n%s", way.Name, diff)
		}
	}
}

// TestReadPlanOfNothing: a directory that exposes nothing has no Plan.
func TestReadPlanOfNothing(t *testing.T) {
	for _, files := range [][]File{nil, {{clusterFile, []byte(Header)}, {KustomizationFile, []byte(Header)}}} {
		if got, err := readPlan(files); err != nil || got != nil {
			t.Errorf("%v: %v %v", files, got, err)
		}
	}
}

// TestReadPlanRefuses: a file in which no Plan can be read is an error, not
// an empty directory.
func TestReadPlanRefuses(t *testing.T) {
	with := func(text string) string { return "kind: ConfigMap\ndata:\n  plan.json: '" + text + "'\n" }
	for name, test := range map[string]struct{ text, want string }{
		"no object":      {"", "there is no Plan in it"},
		"other objects":  {"kind: Role\n---\nkind: ConfigMap\ndata: {a: b}\n", "there is no Plan in it"},
		"another kind":   {"kind: Secret\ndata: {plan.json: '{}'}\n", "there is no Plan in it"},
		"a conflict":     {"<<<<<<< ours\nkind: ConfigMap\n=======\n", "yaml: "},
		"no JSON":        {with("{"), "reading the Plan: unexpected end"},
		"no version":     {with("{}"), "of version 0, and this program reads versions 1 to 2"},
		"a newer one":    {with(`{"version": 3, "nodes": {}}`), "of version 3, and this program reads versions 1 to 2"},
		"another type":   {with(`{"version": 1, "nodes": {}}`), "reading the Plan: json: cannot unmarshal"},
		"no cluster":     {with(`{"version": 1, "namespace": "a", "nodes": [{}]}`), "names no cluster"},
		"no namespace":   {with(`{"version": 1, "cluster": "a", "nodes": [{}]}`), "names no cluster"},
		"without a node": {with(`{"version": 1, "cluster": "a", "namespace": "a"}`), "names no cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readPlan([]File{{readbackFile, []byte(Header + test.text)}})
			if err == nil || !strings.HasPrefix(err.Error(), "readback.yaml: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestReadPlanOfVersion1: a directory of the program before is compared with;
// what its Plan did not say is not held against the next one.
func TestReadPlanOfVersion1(t *testing.T) {
	const text = `apiVersion: v1
data:
  plan.json: |
    {"version":1,"cluster":"orders","namespace":"shop","preferredEndpointType":"hostname","serviceType":"LoadBalancer","gateway":true,"nodes":[
    {"shard":0,"node":0,"name":"orders-0-0","hostname":"shard-0.example.com","service":"valkey-orders-shard-0","servicePort":6379,"portName":"vk-n0","port":30000}
    ]}
kind: ConfigMap
metadata:
  name: valkey-orders-readback-plan
  namespace: shop
`
	const job = "---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: valkey-orders-readback-kgqbx\n"
	for objects, readback := range map[string]string{text: schema.ReadbackNone, text + job: schema.ReadbackJob, text + job + "---\nkind: CronJob\n": schema.ReadbackCronJob} {
		last, err := readPlan([]File{{inject.Named(schema.InjectAdmission).File, []byte(Header)}, {readbackFile, []byte(Header + objects)}})
		if err != nil {
			t.Fatal(err)
		}
		if last.Readback != readback || last.Inject != schema.InjectAdmission {
			t.Errorf("read-back %s, injection %s", last.Readback, last.Inject)
		}
		c := &schema.Cluster{Name: "orders", Namespace: "shop", Shards: 1, ExternalAccess: &schema.ExternalAccess{
			Enabled: true, ServiceType: schema.LoadBalancer, LoadBalancerClass: "x", Domain: "example.com", PreferredEndpointType: schema.PreferHostname,
			Gateway: &schema.Gateway{GatewayRef: schema.GatewayRef{Name: "public"}, BasePort: 30000},
		}}
		next := plan.New(c, Options{Inject: schema.InjectAdmission, Readback: readback})
		if got := transition.Compare(last, &next); !cmp.Equal(got, transition.Transition{Old: last, New: &next, Changes: []transition.Change{}}) {
			t.Errorf("%s: %+v", readback, got)
		}
		c.ExternalAccess.Domain = "example.org"
		next = plan.New(c, Options{Inject: schema.InjectAdmission, Readback: readback})
		if got := transition.Compare(last, &next).Refusals; len(got) != 1 {
			t.Errorf("%s: what is known is refused: %v", readback, got)
		}
	}
}

// TestReadPlanWithoutItsPolicy: somebody else applies the policy, so the directory
// does not put the overlay into the pods.
func TestReadPlanWithoutItsPolicy(t *testing.T) {
	text := "kind: ConfigMap\ndata:\n  plan.json: '" + `{"version": 2, "cluster": "a", "namespace": "a", "inject": "admission", "nodes": [{}]}` + "'\n"
	files := []File{{readbackFile, []byte(Header + text)}}
	if p, err := readPlan(files); err != nil || p.Inject != schema.InjectNone {
		t.Errorf("%+v %v", p, err)
	}
	files = append(files, File{inject.Named(schema.InjectAdmission).File, []byte(Header)})
	if p, err := readPlan(files); err != nil || p.Inject != schema.InjectAdmission {
		t.Errorf("%+v %v", p, err)
	}
	files[0].Text = []byte(strings.Replace(string(files[0].Text), "admission", "none", 1))
	if p, err := readPlan(files); err != nil || p.Inject != schema.InjectNone {
		t.Errorf("the Plan has no use for the policy: %+v %v", p, err)
	}
}
