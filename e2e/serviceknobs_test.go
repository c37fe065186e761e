package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestServiceFieldsAreAllowedWhereTheAPIServerTakesThem asks the program about a
// cluster with one field of a Service, and the API server about a Service of the
// same type with that field: both take it, or neither does.
func TestServiceFieldsAreAllowedWhereTheAPIServerTakesThem(t *testing.T) {
	b := start(t)
	verdicts := map[bool]int{}
	for _, serviceType := range []string{"ClusterIP", "NodePort", "LoadBalancer"} {
		for _, field := range []struct {
			name  string
			value any
			yaml  string
		}{
			{"externalTrafficPolicy", "Local", "Local"},
			{"loadBalancerClass", "example.com/Nlb_1", "example.com/Nlb_1"},
			{"loadBalancerClass", "Example.com/nlb", "Example.com/nlb"},
			{"loadBalancerClass", "a/b/c", "a/b/c"},
			{"loadBalancerClass", strings.Repeat("a", 63), strings.Repeat("a", 63)},
			{"loadBalancerClass", strings.Repeat("a", 64), strings.Repeat("a", 64)},
			{"loadBalancerSourceRanges", []any{"10.0.0.0/8", "2001:db8::/32"}, `[10.0.0.0/8, "2001:db8::/32"]`},
			{"loadBalancerSourceRanges", []any{"10.0.0.0/8", "10.0.0.1"}, "[10.0.0.0/8, 10.0.0.1]"},
			{"loadBalancerSourceRanges", []any{"10.0.0.0/33"}, "[10.0.0.0/33]"},
			{"loadBalancerSourceRanges", []any{"2001:db8::/129"}, `["2001:db8::/129"]`},
			{"loadBalancerSourceRanges", []any{"203.0.113.5/24"}, "[203.0.113.5/24]"},
			{"loadBalancerSourceRanges", []any{"2001:DB8:0:0::/32"}, `["2001:DB8:0:0::/32"]`},
			{"loadBalancerSourceRanges", []any{"::ffff:10.0.0.0/104"}, `["::ffff:10.0.0.0/104"]`},
			{"loadBalancerSourceRanges", []any{"010.0.0.0/8"}, "[010.0.0.0/8]"},
			{"loadBalancerSourceRanges", []any{"10.0.0.0/08"}, "[10.0.0.0/08]"},
			{"allocateLoadBalancerNodePorts", true, "true"},
			{"allocateLoadBalancerNodePorts", false, "false"},
			{"ipFamilyPolicy", "SingleStack", "SingleStack"},
			{"ipFamilyPolicy", "PreferDualStack", "PreferDualStack"},
			{"ipFamilyPolicy", "DualStack", "DualStack"},
		} {
			vet := exec.CommandContext(t.Context(), product.Program(t, "valkey-expose"), "vet", "-f", "-")
			vet.Stdin = strings.NewReader(input(b, 1, "serviceType: "+serviceType+"\n"+field.name+": "+field.yaml, ""))
			said, err := vet.CombinedOutput()
			if _, exited := err.(*exec.ExitError); err != nil && !exited {
				t.Fatal(err)
			}
			answer := b.DryRun(map[string]any{
				"apiVersion": "v1", "kind": "Service",
				"metadata": map[string]any{"name": "probe", "namespace": b.Namespace},
				"spec": map[string]any{
					"type": serviceType, field.name: field.value,
					"ports": []any{map[string]any{"name": "vk-n0", "port": 6379, "protocol": "TCP", "targetPort": "vk-n0"}},
				},
			})
			if (err == nil) != (answer == nil) {
				t.Errorf("%s with %s: %s: vet accepted %v, the API server %v\nvet: %s\nAPI server: %v",
					serviceType, field.name, field.yaml, err == nil, answer == nil, said, answer)
			}
			verdicts[err == nil]++
		}
	}
	if verdicts[true] < 10 || verdicts[false] < 10 {
		t.Errorf("%d accepted, %d rejected: one-sided", verdicts[true], verdicts[false])
	}
}
