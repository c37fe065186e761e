package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// External access is turned on for a running cluster: the marker makes the
// operator roll it at once, the Job puts right what was made before the policy was in
// force, and from then on every port of every Service leads to exactly the pod it is
// named for, whatever happens to the pods.
func TestEachServicePortLeadsToItsPod(t *testing.T) {
	t.Parallel()
	b := start(t)
	before := plain(b, 3)
	b.Apply(before)
	c := operator.For(b, clusterName)
	c.Up()
	c.Valkey(c.Primary(0), "SET", "{"+keyOfShard0+"}", "kept")

	manifests := rendered(b, input(b, 3, hostnames, ""))
	b.Apply(manifests)
	c.Settle()
	jobEnds(b, manifests)
	eachPortLeadsToItsPod(b, c)
	if kept := c.Valkey(c.Primary(0), "GET", "{"+keyOfShard0+"}"); kept != "kept" {
		t.Errorf("after the roll the key holds %q", kept)
	}

	c.DeletePod(operator.Node{Shard: 1, Index: 1})
	c.WaitHealthy()
	eachPortLeadsToItsPod(b, c)

	c.Failover(2)
	eachPortLeadsToItsPod(b, c)

	allocated := nodePorts(b, c)
	b.Apply(manifests)
	if again := nodePorts(b, c); !slices.Equal(allocated, again) {
		t.Errorf("applied again, the node ports changed from %v to %v", allocated, again)
	}

	b.Apply(rendered(b, input(b, 4, hostnames, "")))
	c.Settle()
	eachPortLeadsToItsPod(b, c)

	b.Apply(manifests)
	prune(b, "services", serviceName(3)) // as a GitOps pipeline does
	c.Settle()
	eachPortLeadsToItsPod(b, c)
	if again := nodePorts(b, c); !slices.Equal(allocated, again) {
		t.Errorf("scaled out and in, the node ports changed from %v to %v", allocated, again)
	}
}

// keyOfShard0 hashes to slot 866, which is shard 0's.
const keyOfShard0 = "shard-zero-3"

// plain is the cluster without external access.
func plain(b *bed.Bed, shards int) string {
	return strings.Split(input(b, shards, "", ""), "  externalAccess:")[0]
}

func serviceName(shard int) string { return fmt.Sprintf("valkey-%s-shard-%d", clusterName, shard) }

// eachPortLeadsToItsPod asks the EndpointSlice controller.
func eachPortLeadsToItsPod(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	b.Eventually("every Service port to have one endpoint, its pod", func() error {
		for _, n := range c.Nodes() {
			got, err := endpointsOf(b, serviceName(n.Shard), portName(n.Index))
			if err != nil {
				return err
			}
			if want := []string{c.Pod(n).Status.PodIP}; !slices.Equal(got, want) {
				return fmt.Errorf("port %s of %s leads to %v, not to %v", portName(n.Index), serviceName(n.Shard), got, want)
			}
		}
		return nil
	})
}

func portName(index int) string { return fmt.Sprintf("vk-n%d", index) }

// endpointsOf lists the ready addresses behind a Service's port.
func endpointsOf(b *bed.Bed, service, port string) ([]string, error) {
	slices, err := b.Kube().DiscoveryV1().EndpointSlices(b.Namespace).List(b.T.Context(), metav1.ListOptions{
		LabelSelector: discoveryv1.LabelServiceName + "=" + service,
	})
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, slice := range slices.Items {
		for _, p := range slice.Ports {
			if *p.Name != port || *p.Port != 6379 {
				continue
			}
			for _, e := range slice.Endpoints {
				if e.Conditions.Ready == nil || *e.Conditions.Ready {
					addresses = append(addresses, e.Addresses...)
				}
			}
		}
	}
	return addresses, nil
}

// service reads a shard's Service.
func service(b *bed.Bed, shard int) *corev1.Service {
	b.T.Helper()
	s, err := b.Kube().CoreV1().Services(b.Namespace).Get(b.T.Context(), serviceName(shard), metav1.GetOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
	return s
}

// nodePorts lists what Kubernetes allocated to the nodes of shards 0 to 2.
func nodePorts(b *bed.Bed, c *operator.Cluster) []int32 {
	b.T.Helper()
	var ports []int32
	for shard := range 3 {
		for _, p := range service(b, shard).Spec.Ports {
			if p.NodePort == 0 {
				b.T.Fatalf("port %s of %s has no node port", p.Name, serviceName(shard))
			}
			ports = append(ports, p.NodePort)
		}
	}
	return ports
}

// prune deletes what is rendered no more.
func prune(b *bed.Bed, resource, name string) {
	b.T.Helper()
	client := b.Dynamic().Resource(corev1.SchemeGroupVersion.WithResource(resource)).Namespace(b.Namespace)
	if err := client.Delete(b.T.Context(), name, metav1.DeleteOptions{}); err != nil {
		b.T.Fatal(err)
	}
}
