package gen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestReadRendering: what was rendered is read back as it was.
func TestReadRendering(t *testing.T) {
	for _, inject := range []string{InjectAdmission, InjectNone} {
		documents := []schema.Document{{
			APIVersion: schema.APIVersion, Kind: schema.Kind, Name: "orders",
			Source: []byte("kind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec:\n  shards: 12\n  externalAccess: {enabled: true}\n"),
			Cluster: &schema.Cluster{
				Name: "orders", Namespace: "shop", Shards: 12,
				ExternalAccess: &schema.ExternalAccess{Enabled: true, Domain: "example.com"},
			},
		}}
		o := Defaults()
		o.Inject, o.ReadbackImage = inject, "i"
		files, err := Directory(documents, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadRendering(files)
		if err != nil {
			t.Fatal(err)
		}
		plan := NewPlan(documents[0].Cluster, o)
		if diff := cmp.Diff(Rendering{&plan, inject}, got); diff != "" {
			t.Errorf("%s: -rendered +read:\n%s", inject, diff)
		}
	}
}

// TestReadRenderingOfNothing: a directory that exposes nothing has no Plan.
func TestReadRenderingOfNothing(t *testing.T) {
	for _, files := range [][]File{nil, {{clusterFile, []byte(Header)}, {KustomizationFile, []byte(Header)}}} {
		if got, err := ReadRendering(files); err != nil || got != (Rendering{}) {
			t.Errorf("%v: %v %v", files, got, err)
		}
	}
}

// TestReadRenderingRefuses: a file in which no Plan can be read is an error, not
// an empty directory.
func TestReadRenderingRefuses(t *testing.T) {
	plan := func(text string) string { return "kind: ConfigMap\ndata:\n  plan.json: '" + text + "'\n" }
	for name, test := range map[string]struct{ text, want string }{
		"no object":      {"", "there is no Plan in it"},
		"other objects":  {"kind: Role\n---\nkind: ConfigMap\ndata: {a: b}\n", "there is no Plan in it"},
		"another kind":   {"kind: Secret\ndata: {plan.json: '{}'}\n", "there is no Plan in it"},
		"a conflict":     {"<<<<<<< ours\nkind: ConfigMap\n=======\n", "yaml: "},
		"no JSON":        {plan("{"), "reading the Plan: unexpected end"},
		"no version":     {plan("{}"), "of version 0, and this program reads versions 1 to 2"},
		"a newer one":    {plan(`{"version": 3, "nodes": {}}`), "of version 3, and this program reads versions 1 to 2"},
		"another type":   {plan(`{"version": 1, "nodes": {}}`), "reading the Plan: json: cannot unmarshal"},
		"no cluster":     {plan(`{"version": 1, "namespace": "a", "nodes": [{}]}`), "names no cluster"},
		"no namespace":   {plan(`{"version": 1, "cluster": "a", "nodes": [{}]}`), "names no cluster"},
		"without a node": {plan(`{"version": 1, "cluster": "a", "namespace": "a"}`), "names no cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadRendering([]File{{readbackFile, []byte(Header + test.text)}})
			if err == nil || !strings.HasPrefix(err.Error(), "readback.yaml: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestReadRenderingOfVersion1: a directory of the program before is compared with;
// what its Plan did not say is not held against the next one.
func TestReadRenderingOfVersion1(t *testing.T) {
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
	for objects, readback := range map[string]string{text: ReadbackNone, text + job: ReadbackJob, text + job + "---\nkind: CronJob\n": ReadbackCronJob} {
		last, err := ReadRendering([]File{{policyFile, []byte(Header)}, {readbackFile, []byte(Header + objects)}})
		if err != nil {
			t.Fatal(err)
		}
		if last.Plan.Readback != readback || last.Inject != InjectAdmission {
			t.Errorf("read-back %s, injection %s", last.Plan.Readback, last.Inject)
		}
		c := &schema.Cluster{Name: "orders", Namespace: "shop", Shards: 1, ExternalAccess: &schema.ExternalAccess{
			Enabled: true, ServiceType: schema.LoadBalancer, LoadBalancerClass: "x", Domain: "example.com", PreferredEndpointType: schema.PreferHostname,
			Gateway: &schema.Gateway{GatewayRef: schema.GatewayRef{Name: "public"}, BasePort: 30000},
		}}
		next := NewPlan(c, Options{Inject: InjectAdmission, Readback: readback})
		if got := said(Compare(last, Rendering{&next, InjectAdmission})); len(got) > 0 {
			t.Errorf("%s: %q", readback, got)
		}
		c.ExternalAccess.Domain = "example.org"
		next = NewPlan(c, Options{Inject: InjectAdmission, Readback: readback})
		if got := Compare(last, Rendering{&next, InjectAdmission}).Refusals; len(got) != 1 {
			t.Errorf("%s: what is known is refused: %v", readback, got)
		}
	}
}
