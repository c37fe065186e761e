package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/printers"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

func newEndpoints() *cobra.Command {
	var in flags.Input
	var namespace, format string
	var sans bool
	cmd := &cobra.Command{
		Use:   "endpoints -f FILE",
		Short: "List where clients reach each node",
		Long: `List where clients reach each node, for firewalls, DNS and certificates.

For review, markdown is a table and mermaid a flowchart of the way from a client to
each node, which GitHub, GitLab and others draw in a block of that language.

The role is the one at the cluster's creation; a failover swaps roles within a
shard. A NodePort is allocated by Kubernetes when the manifests are applied.`,
		Example: `  # What to open and to resolve, and what a certificate must carry
  valkey-expose endpoints -f cluster.yaml
  valkey-expose endpoints -f cluster.yaml -n default --sans

  # For a comment on a pull request
  valkey-expose endpoints -f cluster.yaml -n default --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			print, err := endpointFormats().Printer(format)
			if err != nil {
				return err
			}
			if err := flags.CheckNamespace(namespace); err != nil {
				return err
			}
			if sans && cmd.Flags().Changed("format") {
				return errors.New("--sans prints one name a line, and has no --format")
			}
			o := gen.Defaults()
			o.Namespace = namespace
			var check func(*gen.Rendering) []schema.Problem
			if sans {
				check = (*gen.Rendering).CheckNamespaces
			}
			rendering, err := in.Load(cmd, o, check)
			if err != nil {
				return err
			}
			if sans {
				print = printers.SANs
			}
			if err := print(cmd.OutOrStdout(), rendering.Plans()); err != nil {
				return exit.FailedError{Err: err}
			}
			return nil
		},
	}
	in.Flags(cmd)
	flags.Namespace(cmd, &namespace)
	endpointFormats().Flag(cmd, &format, "format of the output")
	cmd.Flags().BoolVar(&sans, "sans", false, "print the names and addresses that the cluster's certificate must carry, as far as they are known, one a line")
	return cmd
}

func endpointFormats() flags.Formats[func(io.Writer, []schema.Plan) error] {
	return flags.Formats[func(io.Writer, []schema.Plan) error]{
		{Name: "table", Print: printers.EndpointsTable},
		{Name: "json", Print: printers.EndpointsJSON},
		{Name: "markdown", Print: printers.EndpointsMarkdown},
		{Name: "mermaid", Usage: "a flowchart", Print: printers.EndpointsMermaid},
	}
}
