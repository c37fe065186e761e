package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/printers"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/plan"
)

func newDNS() *cobra.Command {
	var in flags.Input
	var recorded flags.Recorded
	var namespace, format string
	var outside, inside bool
	cmd := &cobra.Command{
		Use:   "dns -f FILE --outside|--inside",
		Short: "Print what the DNS outside and inside must know of the announced names",
		Long: `Print what the DNS must know of the hostnames that nodes announce.

With --outside, the records to create for clients outside. Addresses of load
balancers come from what the read-back Job recorded, that of a Gateway or of
machines is given. Without them the table says what each name must lead to.

With --inside, the rule for the cluster's CoreDNS that leads each announced name to
a Service of the cluster with the announced ports, for clients inside that cannot
reach, or should not take, the way outside. One rule does for any number of shards.
Load balancers' Services have these ports; with a gateway, splitHorizon: true
renders Services that do.`,
		Example: `  # The records to create
  valkey-expose dns -f cluster.yaml -n default --outside --address 203.0.113.7
  kubectl get configmap valkey-orders-external-endpoints -n default -o jsonpath='{.data.endpoints\.json}' |
    valkey-expose dns -f cluster.yaml -n default --outside --endpoints - --format zone

  # The rule for clients inside, where the cluster's DNS reads the ConfigMap coredns-custom
  valkey-expose dns -f cluster.yaml -n default --inside --format coredns-custom |
    kubectl apply --server-side -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			print, err := dnsFormats().Printer(format)
			if err != nil {
				return err
			}
			switch {
			case outside && print.outside == nil:
				return fmt.Errorf("--format %s is for --inside", format)
			case inside && print.inside == nil:
				return fmt.Errorf("--format %s is for --outside", format)
			case inside && recorded.Given():
				return errors.New("--endpoints and --address are for --outside")
			}
			if err := flags.CheckNamespace(namespace); err != nil {
				return err
			}
			if err := recorded.Check(&in); err != nil {
				return err
			}
			o := gen.Defaults()
			o.Namespace = namespace
			check := (*gen.Rendering).CheckNames
			if inside {
				check = (*gen.Rendering).CheckInside
			}
			rendering, err := in.Load(cmd, o, check)
			if err != nil {
				return err
			}
			if inside {
				err = print.inside(cmd.OutOrStdout(), rendering.Exposed())
			} else {
				var sets []records.Set
				if sets, err = recorded.Records(cmd, rendering.Plans()); err == nil {
					err = print.outside(cmd.OutOrStdout(), sets)
				}
			}
			if err != nil {
				return exit.FailedError{Err: err}
			}
			return nil
		},
	}
	in.Flags(cmd)
	flags.Namespace(cmd, &namespace)
	recorded.Flags(cmd)
	cmd.Flags().BoolVar(&outside, "outside", false, "print the records to create for clients outside")
	cmd.Flags().BoolVar(&inside, "inside", false, "print the rules for the cluster's DNS, for clients inside")
	cmd.MarkFlagsOneRequired("outside", "inside")
	cmd.MarkFlagsMutuallyExclusive("outside", "inside")
	dnsFormats().Flag(cmd, &format, "format of the output")
	return cmd
}

// dnsPrinters print a format on either side; nil: it has none there.
type dnsPrinters struct {
	outside func(io.Writer, []records.Set) error
	inside  func(io.Writer, []*plan.Exposed) error
}

func dnsFormats() flags.Formats[dnsPrinters] {
	return flags.Formats[dnsPrinters]{
		{Name: "table", Print: dnsPrinters{printers.RecordsTable, printers.RulesTable}},
		{Name: "zone", Usage: "outside, records of RFC 1035", Print: dnsPrinters{outside: printers.RecordsZone}},
		{Name: "hosts", Usage: "outside, a hosts file", Print: dnsPrinters{outside: printers.RecordsHosts}},
		{Name: "external-dns", Usage: "outside, a DNSEndpoint", Print: dnsPrinters{outside: printers.RecordsExternalDNS}},
		{Name: "corefile", Usage: "inside, for a server block of CoreDNS", Print: dnsPrinters{inside: printers.RulesCorefile}},
		{Name: "coredns-custom", Usage: "inside, a ConfigMap", Print: dnsPrinters{inside: printers.RulesCoreDNSCustom}},
	}
}
