package e2e

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestCRDPatchAgreesOnRandomClusters asks the program and the API server about
// clusters whose every value is right by itself or just beside it, so that the
// rules about several fields meet in ways that nobody thought of.
func TestCRDPatchAgreesOnRandomClusters(t *testing.T) {
	b := patchedCRD(t)
	verdicts := map[bool]int{}
	for seed := range uint64(300) {
		cluster := randomCluster(t, rand.New(rand.NewPCG(seed, 1)))
		vet := exec.CommandContext(t.Context(), product.Program(t, "valkey-expose"), "vet", "-f", "-")
		vet.Stdin = strings.NewReader(cluster)
		said, err := vet.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		answer := create(t, b, []byte(cluster))
		if (err == nil) != (answer == nil) {
			t.Errorf("seed %d: vet accepted %v, the API server %v\n%s\nvet: %s\nAPI server: %v", seed, err == nil, answer == nil, cluster, said, answer)
		}
		verdicts[err == nil]++
	}
	if verdicts[true] < 30 || verdicts[false] < 30 {
		t.Errorf("%d accepted, %d rejected: one-sided", verdicts[true], verdicts[false])
	}
}

// randomCluster is JSON, which YAML 1.1 and 1.2 read alike.
func randomCluster(t *testing.T, r *rand.Rand) string {
	t.Helper()
	pick := func(values ...any) any { return values[r.IntN(len(values))] }
	put := func(m map[string]any, name string, values ...any) {
		if r.IntN(3) == 0 {
			m[name] = pick(values...)
		}
	}
	domains := strings.Repeat("d123456.", 32) // with a prefix, 253 characters are the most
	access := map[string]any{"enabled": pick(true, true, true, false)}
	put(access, "serviceType", "NodePort", "LoadBalancer", "ClusterIP")
	put(access, "serviceScope", "shard", "node", "node", "pod")
	put(access, "portBase", 1, 7000, 65500, 65535, 0)
	put(access, "externalTrafficPolicy", "Cluster", "Local")
	put(access, "hostnamePrefix", "vk", strings.Repeat("p", 60), strings.Repeat("p", 61), strings.Repeat("p", 62))
	put(access, "domain", "valkey.example.com", domains[:190], domains[:191], domains[:245], domains[:246], "svc.example.com", "a.svc", "10.0.0.5")
	put(access, "preferredEndpointType", "ip", "hostname")
	put(access, "serviceAnnotations", map[string]any{}, map[string]any{"Example.com/pool": "blue"}, map[string]any{"a": "{shard} {{}}"}, map[string]any{"a": "{s}"})
	put(access, "serviceLabels", map[string]any{"team": "a_b"}, map[string]any{"valkey.io/cluster": "a"}, map[string]any{"A/b": "c"}, map[string]any{"a": "b c"})
	put(access, "servedShards", 0, 1, 3, 10, 100)
	put(access, "ipFamilyPolicy", "SingleStack", "RequireDualStack", "SingleStack", "DualStack")
	if r.IntN(4) == 0 {
		access["serviceType"] = pick("LoadBalancer", "LoadBalancer", "LoadBalancer", "NodePort")
		put(access, "loadBalancerClass", "internal", "example.com/nlb", "a/b/c")
		put(access, "loadBalancerSourceRanges", []string{"10.0.0.0/8", "::/0"}, []string{"10.0.0.0/33"}, []string{}, []string{"10.0.0.0/8", "10.0.0.1/8"}, []string{"::ffff:10.0.0.0/104"})
		put(access, "allocateLoadBalancerNodePorts", true, false, "false")
	}
	if r.IntN(3) == 0 {
		ref := map[string]any{"name": pick("public", "a.b")}
		put(ref, "sectionName", "valkey")
		put(access, "splitHorizon", true, true, false)
		access["gateway"] = map[string]any{"gatewayRef": ref, "basePort": pick(1, 30000, 65500, 65530, 65535)}
	}
	if r.IntN(12) == 0 {
		access["splitHorizon"] = true
	}
	spec := map[string]any{"shards": pick(1, 2, 9, 10, 11, 100), "externalAccess": access}
	put(spec, "replicas", 0, 1, 5)
	put(spec, "image", "valkey/valkey:9.0", "valkey/valkey:8.1", "valkey/valkey", "example.com/valkey-x:1.0", "example.com:5000/valkey:7")
	put(spec, "config", map[string]any{"maxmemory": "1gb"}, map[string]any{"cluster-announce-ip": "10.0.0.1"})
	name := pick("orders", "orders", "orders", strings.Repeat("n", 41), strings.Repeat("n", 42), "a.b")
	cluster, err := json.Marshal(map[string]any{
		"apiVersion": "valkey.io/v1alpha1", "kind": "ValkeyCluster",
		"metadata": map[string]any{"name": name}, "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(cluster)
}
