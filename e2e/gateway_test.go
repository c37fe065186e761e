//go:build gateway || dns

package e2e

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

const basePort = 31000

// TestGateway: a real Gateway accepts the rendered TCPRoutes, and a client
// outside reads and writes over all slots through the Gateway's ports, following
// redirects between them. No Job is involved.
func TestGateway(t *testing.T) {
	for _, version := range []string{"v1", "v1alpha2"} {
		t.Run(version, func(t *testing.T) {
			b := start(t)
			installGatewayAPI(b, "experimental")
			const shards, perShard = 3, 2
			var ports []int
			for i := range shards * perShard {
				ports = append(ports, basePort+i)
			}
			b.Apply(gateway(ports))
			b.StartTraefik(ports...)

			access := hostnames + fmt.Sprintf("gateway: {gatewayRef: {name: public}, basePort: %d}", basePort)
			b.Apply(product.Render(t, input(b, shards, access, ""), "--readback", "none", "--tcproute-version", version))
			inForce(b)
			c := operator.For(b, clusterName)
			c.Up()
			resolve(b, shards)
			routesAreAccepted(b, version, len(ports))

			for i, port := range ports {
				answers(b, hostname(i/perShard), fmt.Sprint(port))
			}
			writeAndRead(b, fmt.Sprintf("%s:%d", hostname(0), basePort))
			writeAndReadByCLI(b, hostname(2), fmt.Sprint(basePort+2*perShard))
			busUsesPodAddresses(b, c)
		})
	}
}

// TestGatewayTellsItsAddress: the Job announces the address that the controller of a real
// Gateway wrote, and a client outside that resolves no name reads and writes over all slots.
func TestGatewayTellsItsAddress(t *testing.T) {
	b := start(t)
	b.NoNames = true
	installGatewayAPI(b, "experimental")
	var ports []int
	for i := range 6 {
		ports = append(ports, basePort+i)
	}
	b.Apply(gateway(ports))
	b.StartTraefik(ports...)
	manifests := rendered(b, input(b, 3, addresses+fmt.Sprintf("gateway: {gatewayRef: {name: public}, basePort: %d}", basePort), ""), "--tcproute-version", "v1alpha2")
	c := readsBack(b, manifests)
	jobEnds(b, manifests)
	announcesAt(b, c, func(n operator.Node) (string, int) { return bed.NodeIP, basePort + 2*n.Shard + n.Index })
	for _, port := range ports {
		answers(b, bed.NodeIP, fmt.Sprint(port))
	}
	writeAndRead(b, fmt.Sprintf("%s:%d", bed.NodeIP, basePort))
	writeAndReadByCLI(b, bed.NodeIP, fmt.Sprint(basePort+4))
	busUsesPodAddresses(b, c)
}

// gateway is a Gateway with one TCP listener a port.
func gateway(ports []int) string {
	var listeners strings.Builder
	for _, port := range ports {
		fmt.Fprintf(&listeners, "  - {name: port-%d, port: %d, protocol: TCP, allowedRoutes: {kinds: [{kind: TCPRoute}]}}\n", port, port)
	}
	return `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: traefik}
spec: {controllerName: traefik.io/gateway-controller}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public}
spec:
  gatewayClassName: traefik
  listeners:
` + listeners.String()
}

// routesAreAccepted reads the conditions that the Gateway's controller wrote.
func routesAreAccepted(b *bed.Bed, version string, routes int) {
	b.T.Helper()
	resource := schema.GroupVersionResource{Group: "gateway.networking.k8s.io", Version: version, Resource: "tcproutes"}
	type route struct {
		Status struct {
			Parents []struct {
				Conditions []metav1.Condition `json:"conditions"`
			} `json:"parents"`
		} `json:"status"`
	}
	list, err := b.Dynamic().Resource(resource).Namespace(b.Namespace).List(b.T.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != routes {
		b.T.Fatalf("%d routes, want %d: %v", len(list.Items), routes, err)
	}
	for _, item := range list.Items {
		bed.WaitFor(b, resource, b.Namespace, item.GetName(), "to be Accepted with ResolvedRefs", func(r *route) bool {
			held := map[string]bool{}
			for _, parent := range r.Status.Parents {
				for _, c := range parent.Conditions {
					held[c.Type] = c.Status == metav1.ConditionTrue
				}
			}
			return held["Accepted"] && held["ResolvedRefs"]
		})
	}
}
