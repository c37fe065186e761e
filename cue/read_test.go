package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestSyncWaveLeavesRoomForThoseBesideIt: a number that has none is none.
func TestSyncWaveLeavesRoomForThoseBesideIt(t *testing.T) {
	for wave, want := range map[string]int{"-3": -3, "2147483647": 2147483647, "9223372036854775807": 0, "99999999999999999999": 0, "x": 0} {
		documents, problems := newRules(t).Check("f", []byte(head+"metadata: {name: a, annotations: {argocd.argoproj.io/sync-wave: \""+wave+"\"}}\nspec: {shards: 1, "+access+"}\n"))
		if len(problems) > 0 || documents[0].Cluster.SyncWave != want {
			t.Errorf("%s: %v %+v", wave, problems, documents[0].Cluster)
		}
	}
}

// TestReadsWhatStandsBesideTheBlock: names for TLS, the kind of workload and
// whether the nodes demand certificates are those of the document, and the
// operator's own where it says nothing.
func TestReadsWhatStandsBesideTheBlock(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	const tls = "networking: {tls: {certificate: {secretName: s}"
	for name, test := range map[string]struct {
		spec string
		want schema.Cluster
	}{
		"nothing":                   {"replicas: 0", schema.Cluster{}},
		"a Deployment":              {"workloadType: Deployment", schema.Cluster{WorkloadType: "Deployment"}},
		"a domain":                  {"networking: {clusterDomain: k8s.corp}", schema.Cluster{ClusterDomain: "k8s.corp"}},
		"a name without TLS":        {"networking: {tls: {serverName: kv.corp}}", schema.Cluster{}},
		"TLS":                       {tls + "}}", schema.Cluster{TLS: &schema.TLS{SecretName: "s"}}},
		"TLS and a name":            {tls + ", serverName: kv.corp}}", schema.Cluster{TLS: &schema.TLS{SecretName: "s", ServerName: "kv.corp"}}},
		"certificates":              {tls + "}}\n  config: {tls-auth-clients: \"yes\"}", schema.Cluster{TLS: &schema.TLS{SecretName: "s", ClientCertificates: true}}},
		"certificates, upper case":  {tls + "}}\n  config: {TLS-Auth-Clients: \"YES\"}", schema.Cluster{TLS: &schema.TLS{SecretName: "s", ClientCertificates: true}}},
		"certificates, on":          {tls + "}}\n  config: {tls-auth-clients: \"On\"}", schema.Cluster{TLS: &schema.TLS{SecretName: "s", ClientCertificates: true}}},
		"certificates are optional": {tls + "}}\n  config: {tls-auth-clients: optional}", schema.Cluster{TLS: &schema.TLS{SecretName: "s"}}},
		"certificates without TLS":  {"config: {tls-auth-clients: \"yes\"}", schema.Cluster{}},
	} {
		t.Run(name, func(t *testing.T) {
			documents, problems := r.Check("", []byte("apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a}\nspec:\n  shards: 1\n  "+test.spec+
				"\n  externalAccess: {enabled: true, domain: a.example, preferredEndpointType: hostname, servedShards: 2, serviceLabels: {team: shop}, serviceType: LoadBalancer, splitHorizon: true}\n"))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			want := test.want
			want.Name, want.Shards = "a", 1
			want.ExternalAccess = &schema.ExternalAccess{
				Enabled: true, Domain: "a.example", PreferredEndpointType: schema.PreferHostname,
				ServedShards: 2, ServiceLabels: map[string]string{"team": "shop"}, ServiceType: schema.LoadBalancer, SplitHorizon: true,
			}
			if diff := cmp.Diff(&want, documents[0].Cluster); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
