package golden

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// renderOf renders a cluster as it is read, whatever document it was read from.
func renderOf(t *testing.T, c *schema.Cluster, change func(*gen.Options)) []metav1.Object {
	t.Helper()
	options := gen.Defaults()
	options.ReadbackImage = image
	if change != nil {
		change(&options)
	}
	c.Name, c.Namespace, c.ExternalAccess.Enabled = "orders", "shop", true
	source := "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec:\n  externalAccess: {enabled: true}\n"
	output, err := gen.New([]schema.Document{{Cluster: c, Source: []byte(source)}}, options).Stream()
	if err != nil {
		t.Fatal(err)
	}
	return decodeAll(t, output, false)
}

// only are the objects of one type.
func only[T metav1.Object](objects []metav1.Object) (all []T) {
	for _, o := range objects {
		if x, ok := o.(T); ok {
			all = append(all, x)
		}
	}
	return all
}

func namesOf[T metav1.Object](objects []T) (names []string) {
	for _, o := range objects {
		names = append(names, o.GetName())
	}
	return names
}

// TestShardsBeingEmptiedAreServed: shards above those of the cluster keep their
// Services, routes and files while they are served, and the Plan says which they are.
func TestShardsBeingEmptiedAreServed(t *testing.T) {
	served := func(shards, servedShards int) []metav1.Object {
		return renderOf(t, &schema.Cluster{Shards: shards, Replicas: 1, ExternalAccess: &schema.ExternalAccess{
			ServedShards: servedShards, Domain: "example.com", PreferredEndpointType: schema.PreferHostname,
			Gateway: &schema.Gateway{GatewayRef: schema.GatewayRef{Name: "public"}, BasePort: 30000},
		}}, nil)
	}
	before, now := served(4, 0), served(2, 4)
	for what, same := range map[string]bool{
		"Services": slices.Equal(namesOf(only[*corev1.Service](before)), namesOf(only[*corev1.Service](now))),
		"routes":   slices.Equal(namesOf(only[*gatewayv1.TCPRoute](before)), namesOf(only[*gatewayv1.TCPRoute](now))),
		"files":    fmt.Sprint(settings(t, before)) == fmt.Sprint(settings(t, now)),
		"ports": slices.EqualFunc(planOf(t, before).Nodes, planOf(t, now).Nodes, func(a, b schema.Node) bool {
			return a.Port == b.Port && a.Hostname == b.Hostname
		}),
	} {
		if !same {
			t.Errorf("with servedShards: 4 the %s are not those of four shards", what)
		}
	}
	for _, n := range planOf(t, now).Nodes {
		if n.Draining != (n.Shard >= 2) {
			t.Errorf("%s: draining %v", n.Name, n.Draining)
		}
	}
}

// TestServiceLabels: they are on every Service and on nothing else; ours win.
func TestServiceLabels(t *testing.T) {
	for _, o := range renderOf(t, &schema.Cluster{Shards: 2, ExternalAccess: &schema.ExternalAccess{
		ServiceLabels: map[string]string{"lb-pool": "public", "valkey.io/shard-index": "9"},
	}}, nil) {
		_, service := o.(*corev1.Service)
		if labelled := o.GetLabels()["lb-pool"] == "public"; labelled != service {
			t.Errorf("%T %s has labels %v", o, o.GetName(), o.GetLabels())
		}
		if service && o.GetLabels()["valkey.io/shard-index"] == "9" {
			t.Errorf("%s has the label of another shard", o.GetName())
		}
	}
}

// TestTLSServerName: the name that the operator verifies by is in the Plan, and
// among those that the certificate must carry.
func TestTLSServerName(t *testing.T) {
	for _, test := range []struct {
		serverName, domain, want string
	}{
		{"", "", "valkey-orders.shop.svc.cluster.local"},
		{"", "k8s.corp", "valkey-orders.shop.svc.k8s.corp"},
		{"kv.corp", "k8s.corp", "kv.corp"},
	} {
		p := planOf(t, renderOf(t, &schema.Cluster{
			Shards: 1, ClusterDomain: test.domain, TLS: &schema.TLS{SecretName: "s", ServerName: test.serverName},
			ExternalAccess: &schema.ExternalAccess{Domain: "example.com"},
		}, nil))
		if p.TLSServerName != test.want {
			t.Errorf("%+v: the Plan has %q", test, p.TLSServerName)
		}
		if names := plan.CertificateNames(p); !slices.Equal(names, []string{test.want, "shard-0.example.com"}) {
			t.Errorf("%+v: the certificate must carry %v", test, names)
		}
	}
}

// TestClientCertificate: where the nodes demand one, two keys of a Secret are
// mounted and told to the program, and nowhere else.
func TestClientCertificate(t *testing.T) {
	for _, test := range []struct {
		demanded     bool
		secret, want string
	}{
		{false, "", ""},
		{false, "other", ""},
		{true, "", "cluster-tls"},
		{true, "other", "other"},
	} {
		job := only[*batchv1.Job](renderOf(t, &schema.Cluster{
			Shards: 1, TLS: &schema.TLS{SecretName: "cluster-tls", ClientCertificates: test.demanded}, ExternalAccess: &schema.ExternalAccess{},
		}, func(o *gen.Options) { o.ReadbackClientSecret = test.secret }))[0]
		pod := job.Spec.Template.Spec
		var secret string
		for _, v := range pod.Volumes {
			if v.Name == "certificate" {
				secret = v.Secret.SecretName
				if len(v.Secret.Items) != 2 || v.Secret.Items[0].Key != "tls.crt" || v.Secret.Items[1].Key != "tls.key" {
					t.Errorf("%+v: mounts %v", test, v.Secret.Items)
				}
			}
		}
		told := strings.Contains(strings.Join(pod.Containers[0].Args, " "), "--cert-file=/etc/valkey-expose/certificate/tls.crt --key-file=/etc/valkey-expose/certificate/tls.key")
		if secret != test.want || told != (test.want != "") {
			t.Errorf("%+v: Secret %q, arguments %v", test, secret, pod.Containers[0].Args)
		}
	}
}

// TestRightToEvict: only where a policy makes the pods, and held to the pods of
// StatefulSets, less those of shards that are being emptied, in the order of numbers.
func TestRightToEvict(t *testing.T) {
	for _, test := range []struct {
		inject, workload string
		want             []string // nil: no right
	}{
		{schema.InjectAdmission, "", []string{"valkey-orders-0-0-0"}},
		{schema.InjectAdmission, "StatefulSet", []string{"valkey-orders-0-0-0"}},
		{schema.InjectAdmission, "Deployment", []string{}},
		{schema.InjectNone, "", nil},
		{schema.InjectNone, "Deployment", nil},
	} {
		role := only[*rbacv1.Role](renderOf(t, &schema.Cluster{
			Shards: 1, WorkloadType: test.workload, ExternalAccess: &schema.ExternalAccess{ServedShards: 2},
		}, func(o *gen.Options) { o.Inject = test.inject }))[0]
		var got []string
		for _, rule := range role.Rules {
			if slices.Contains(rule.Resources, "pods/eviction") {
				got = append([]string{}, rule.ResourceNames...)
			}
		}
		if (got == nil) != (test.want == nil) || !slices.Equal(got, test.want) {
			t.Errorf("%+v: may evict %v", test, got)
		}
	}
	role := only[*rbacv1.Role](renderOf(t, &schema.Cluster{Shards: 11, ExternalAccess: &schema.ExternalAccess{}}, nil))[0]
	last := role.Rules[len(role.Rules)-1].ResourceNames
	if last[2] != "valkey-orders-2-0-0" || last[10] != "valkey-orders-10-0-0" {
		t.Errorf("out of order: %v", last)
	}
}
