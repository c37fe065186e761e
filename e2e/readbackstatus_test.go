package e2e

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// With a CRD that has the field, the status lists every shard, in each mode with
// what there is; the operator's own status stays; what is scaled in goes. The
// nodes are not announced: this is about the record. The CRD is for this test
// alone, so it does not run in parallel.
func TestReadbackWritesTheStatus(t *testing.T) {
	b := bed.Start(t)
	operator.InstallCRD(b, true)
	defer operator.InstallCRD(b, false)

	record := func(shards int, access string) []externalEndpoint {
		t.Helper()
		manifests := product.Render(t, input(b, shards, access, ""), "--keep-block")
		b.Apply(kinds(t, manifests, "Service", "ConfigMap", "ValkeyCluster"))
		c := operator.For(b, clusterName)
		readyPods(b, c)
		if _, err := b.Dynamic().Resource(operator.ValkeyClusters).Namespace(b.Namespace).Patch(t.Context(), clusterName,
			types.MergePatchType, []byte(`{"status":{"state":"Ready"}}`), metav1.PatchOptions{}, "status"); err != nil {
			t.Fatal(err)
		}
		for shard := range shards {
			if s := service(b, shard); s.Spec.Type == corev1.ServiceTypeLoadBalancer {
				s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: bed.NodeIP}}
				if shard == 1 {
					s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{Hostname: "lb.example.com"}}
				}
				if _, err := b.Kube().CoreV1().Services(b.Namespace).UpdateStatus(t.Context(), s, metav1.UpdateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		runReadback(b, manifests, "--no-announce").must(b, 0, `msg="status written"`)
		first := clusterNow(b).Metadata.ResourceVersion
		runReadback(b, manifests, "--no-announce").must(b, 0, "msg=done")
		if again := clusterNow(b).Metadata.ResourceVersion; again != first {
			t.Errorf("a second run changed the ValkeyCluster from %s to %s", first, again)
		}
		return clusterNow(b).Status.ExternalEndpoints
	}
	nodePorts := func(shard int) []int {
		var ports []int
		for _, p := range service(b, shard).Spec.Ports {
			ports = append(ports, int(p.NodePort))
		}
		return ports
	}
	is := func(what string, got, want []externalEndpoint) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}

	got := record(3, hostnames)
	var want []externalEndpoint
	for shard := range 3 {
		want = append(want, externalEndpoint{ShardIndex: shard, NodePorts: nodePorts(shard), Ports: nodePorts(shard), Hostname: hostname(shard)})
	}
	is("NodePort", got, want)

	got = record(2, "")
	is("scaled in, without a domain", got, []externalEndpoint{
		{ShardIndex: 0, NodePorts: nodePorts(0), Ports: nodePorts(0)}, {ShardIndex: 1, NodePorts: nodePorts(1), Ports: nodePorts(1)},
	})
	if got := slices.Sorted(maps.Keys(endpointsMap(b).Data)); !slices.Equal(got, []string{"endpoints.json"}) {
		t.Errorf("without hostnames the ConfigMap has %v", got)
	}

	got = record(2, "serviceType: LoadBalancer")
	is("LoadBalancer", got, []externalEndpoint{
		{ShardIndex: 0, Address: bed.NodeIP, Ports: []int{6379, 6380}}, {ShardIndex: 1, Address: "lb.example.com", Ports: []int{6379, 6380}},
	})
	if got, want := endpointsMap(b).Data["bootstrap"], bed.NodeIP+":6379,"+bed.NodeIP+":6380,lb.example.com:6379,lb.example.com:6380"; got != want {
		t.Errorf("bootstrap is %q, not %q", got, want)
	}

	gateway := hostnames + "gateway: {gatewayRef: {name: public}, basePort: 30000}\n"
	got = record(2, gateway)
	is("gateway", got, []externalEndpoint{
		{ShardIndex: 0, Hostname: hostname(0), Ports: []int{30000, 30001}}, {ShardIndex: 1, Hostname: hostname(1), Ports: []int{30002, 30003}},
	})

	got = record(2, gateway+"serviceType: NodePort\n")
	is("a NodePort beside a gateway is only recorded", got, []externalEndpoint{
		{ShardIndex: 0, Hostname: hostname(0), NodePorts: nodePorts(0), Ports: []int{30000, 30001}},
		{ShardIndex: 1, Hostname: hostname(1), NodePorts: nodePorts(1), Ports: []int{30002, 30003}},
	})

	if state := clusterNow(b).Status.State; state != "Ready" {
		t.Errorf("the operator's own status is %q", state)
	}
}

// externalEndpoint is how the status lists a shard.
type externalEndpoint struct {
	ShardIndex int    `json:"shardIndex"`
	NodePorts  []int  `json:"nodePorts"`
	Hostname   string `json:"hostname"`
	Address    string `json:"address"`
	Ports      []int  `json:"ports"`
}

// valkeyCluster is what this test reads of a ValkeyCluster.
type valkeyCluster struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Status struct {
		State             string             `json:"state"`
		ExternalEndpoints []externalEndpoint `json:"externalEndpoints"`
	} `json:"status"`
}

func clusterNow(b *bed.Bed) (typed valkeyCluster) {
	b.T.Helper()
	o, err := b.Dynamic().Resource(operator.ValkeyClusters).Namespace(b.Namespace).Get(b.T.Context(), clusterName, metav1.GetOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &typed); err != nil {
		b.T.Fatal(err)
	}
	return typed
}
