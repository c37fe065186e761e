package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

var gateways = schema.GroupVersionResource{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "gateways"}

const publicGateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public}
spec:
  gatewayClassName: nobodys
  listeners: [{name: any, port: 31000, protocol: TCP}]
`

// The Job, under its Role, waits for the Gateway and its address, and announces it with
// each node's port. Of Gateways it asks for this one alone. An IPv6 address ends a run,
// and so does a missing right.
func TestReadbackOfAGatewaysAddress(t *testing.T) {
	t.Parallel()
	b := start(t)
	crd, err := os.ReadFile(filepath.Join(bed.GatewayCRDs("standard"), "gateway.networking.k8s.io_gateways.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.ApplyForAll(string(crd))
	b.Eventually("Gateways to be served", func() error {
		_, err := b.Dynamic().Resource(gateways).Namespace(b.Namespace).List(t.Context(), metav1.ListOptions{})
		return err
	})
	manifests := without(t, rendered(b, input(b, 2, addresses+"gateway: {gatewayRef: {name: public}, basePort: 31000}", "")), "TCPRoute")
	c := readsBack(b, manifests)
	runReadback(b, manifests, "--timeout", "5s").must(b, 124, "Gateway "+b.Namespace+"/public does not exist")
	b.Apply(publicGateway)
	runReadback(b, manifests, "--timeout", "5s").must(b, 124, "Gateway "+b.Namespace+"/public has no address yet")
	addressOfGateway(b, "IPAddress", "192.0.2.1")
	jobEnds(b, manifests)
	announcesAt(b, c, func(n operator.Node) (string, int) { return "192.0.2.1", 31000 + 2*n.Shard + n.Index })

	account := "valkey-" + clusterName + "-readback"
	var asked []string
	for _, r := range b.Requests(account) {
		if r.Object.Resource == "gateways" && !slices.Contains(asked, r.Verb+" "+r.Object.Name) {
			asked = append(asked, r.Verb+" "+r.Object.Name)
		}
	}
	if !slices.Equal(asked, []string{"get public"}) {
		t.Errorf("of Gateways the Job asked %q", asked)
	}
	role, err := b.Kube().RbacV1().Roles(b.Namespace).Get(t.Context(), account, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := accountWithout(b, rightsOf(role.Rules), "get gateways public")
	runReadback(b, manifests, "--kubeconfig", kubeconfig).must(b, 1, "cannot get resource \\\"gateways\\\"")

	addressOfGateway(b, "Hostname", "gw-1.example.net")
	runReadback(b, manifests).must(b, 0, "msg=done")
	announcesAt(b, c, func(n operator.Node) (string, int) { return "gw-1.example.net", 31000 + 2*n.Shard + n.Index })
	addressOfGateway(b, "IPAddress", "2001:db8::1")
	runReadback(b, manifests).must(b, 1, "Gateway "+b.Namespace+"/public has the address 2001:db8::1 and neither an IPv4 address nor a name")
	announcesAt(b, c, func(n operator.Node) (string, int) { return "gw-1.example.net", 31000 + 2*n.Shard + n.Index })
}

// addressOfGateway is the part of the Gateway's controller.
func addressOfGateway(b *bed.Bed, kind, value string) {
	b.T.Helper()
	patch := fmt.Sprintf(`{"status":{"addresses":[{"type":%q,"value":%q}]}}`, kind, value)
	_, err := b.Dynamic().Resource(gateways).Namespace(b.Namespace).Patch(b.T.Context(), "public", types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	if err != nil {
		b.T.Fatal(err)
	}
}
