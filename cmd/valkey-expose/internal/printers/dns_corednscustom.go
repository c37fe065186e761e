package printers

import (
	"io"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/manifest"
)

// RulesCoreDNSCustom writes the ConfigMap from which k3s, AKS and others import what
// ends in .override into the server block of the cluster's DNS.
func RulesCoreDNSCustom(w io.Writer, clusters []*plan.Exposed) error {
	if len(clusters) == 0 {
		return nil
	}
	data := map[string]any{}
	for _, x := range clusters {
		data["valkey-"+x.Plan.Namespace+"-"+x.Plan.Cluster+".override"] = coreRule(x)
	}
	text, err := manifest.Encode(map[string]any{
		"apiVersion": "v1",
		"kind":       "ConfigMap",
		"metadata":   map[string]any{"name": "coredns-custom", "namespace": "kube-system"},
		"data":       data,
	})
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, "# Others may have keys in it: kubectl apply --server-side keeps them.\n"); err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
