package printers

import (
	"bytes"
	"io"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
	"github.com/valkey-expose/valkey-expose/manifest"
)

// RecordsExternalDNS writes a DNSEndpoint of external-dns for each cluster, which its
// source crd reads. A name has one endpoint a type of record.
func RecordsExternalDNS(w io.Writer, sets []records.Set) error {
	var out bytes.Buffer
	for i, set := range sets {
		var endpoints []any
		for _, name := range set.Names {
			if len(name.Targets) == 0 {
				return unknownAddress(set, name)
			}
			for _, kind := range []string{"A", "AAAA", "CNAME"} {
				var targets []any
				for _, target := range name.Targets {
					if records.Type(target) == kind {
						targets = append(targets, target)
					}
				}
				if len(targets) > 0 {
					endpoints = append(endpoints, map[string]any{
						"dnsName": name.Hostname, "recordType": kind, "recordTTL": int64(recordTTL), "targets": targets,
					})
				}
			}
		}
		text, err := manifest.Encode(map[string]any{
			"apiVersion": "externaldns.k8s.io/v1alpha1",
			"kind":       "DNSEndpoint",
			"metadata": map[string]any{
				"name": "valkey-" + set.Plan.Cluster, "namespace": set.Plan.Namespace,
				"labels": map[string]any{"app.kubernetes.io/managed-by": "valkey-expose"},
			},
			"spec": map[string]any{"endpoints": endpoints},
		})
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		out.Write(text)
	}
	_, err := w.Write(out.Bytes())
	return err
}
