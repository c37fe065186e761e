package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

func newEndpoints() *cobra.Command {
	var in input
	var namespace, format string
	var sans bool
	cmd := &cobra.Command{
		Use:   "endpoints -f FILE",
		Short: "List where clients reach each node",
		Long: `List where clients reach each node, for firewalls, DNS and certificates.

The role is the one at the cluster's creation; a failover swaps roles within a
shard. A NodePort is allocated by Kubernetes when the manifests are applied.`,
		Example: `  # What to open and to resolve, and what a certificate must carry
  valkey-expose endpoints -f cluster.yaml
  valkey-expose endpoints -f cluster.yaml -n default --sans`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "table", "json"); err != nil {
				return err
			}
			if err := matches("namespace", namespace, namespacePattern, "a DNS label of at most 63 characters"); err != nil {
				return err
			}
			if sans && cmd.Flags().Changed("format") {
				return errors.New("--sans prints one name a line, and has no --format")
			}
			o := gen.Defaults()
			o.Namespace = namespace
			var check func([]schema.Document) []schema.Problem
			if sans {
				check = func(d []schema.Document) []schema.Problem { return gen.CheckNamespaces(d, o) }
			}
			documents, err := in.load(cmd, o, check)
			if err != nil {
				return err
			}
			var plans []schema.Plan
			for _, d := range gen.Exposed(documents) {
				plans = append(plans, gen.NewPlan(d.Cluster, o))
			}
			print := printTable
			switch {
			case sans:
				print = printSANs
			case format == "json":
				print = printJSON
			}
			if err := print(cmd.OutOrStdout(), plans); err != nil {
				return failedError{fmt.Errorf("writing the output: %w", err)}
			}
			return nil
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVarP(&namespace, "namespace", "n", "", "namespace of clusters whose document has none")
	cmd.Flags().StringVar(&format, "format", "table", "format of the output: table or json")
	cmd.Flags().BoolVar(&sans, "sans", false, "print the names that the cluster's certificate must carry, one a line")
	complete(cmd, "format", "table", "json")
	return cmd
}

// allocated stands for a port that is not known before the manifests are applied.
const allocated = "allocated by Kubernetes"

func printTable(w io.Writer, plans []schema.Plan) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	if len(plans) > 0 {
		fmt.Fprintln(table, "NODE\tROLE AT CREATION\tHOSTNAME\tPORT\tSERVICE")
	}
	for _, plan := range plans {
		for _, n := range plan.Nodes {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", n.Name, n.Role(), orNone(n.Hostname), portText(n.Port), n.Service)
		}
	}
	return table.Flush()
}

// endpoint is one row of the JSON output.
type endpoint struct {
	Cluster     string `json:"cluster"`
	Namespace   string `json:"namespace,omitempty"`
	Node        string `json:"node"`
	Shard       int    `json:"shard"`
	Index       int    `json:"index"`
	Role        string `json:"roleAtCreation"`
	Hostname    string `json:"hostname,omitempty"`
	Port        int    `json:"port,omitempty"` // missing: allocated by Kubernetes
	Service     string `json:"service"`
	ServicePort int    `json:"servicePort"`
}

func newEndpoint(plan *schema.Plan, n schema.Node) endpoint {
	return endpoint{
		Cluster: plan.Cluster, Namespace: plan.Namespace,
		Node: n.Name, Shard: n.Shard, Index: n.Index, Role: n.Role(),
		Hostname: n.Hostname, Port: n.Port,
		Service: n.Service, ServicePort: n.ServicePort,
	}
}

func printJSON(w io.Writer, plans []schema.Plan) error {
	rows := []endpoint{}
	for _, plan := range plans {
		for _, n := range plan.Nodes {
			rows = append(rows, newEndpoint(&plan, n))
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(rows)
}

func printSANs(w io.Writer, plans []schema.Plan) error {
	for _, plan := range plans {
		for _, name := range gen.CertificateNames(plan) {
			if _, err := fmt.Fprintln(w, name); err != nil {
				return err
			}
		}
	}
	return nil
}
