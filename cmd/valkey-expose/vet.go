package main

import (
	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/gen"
)

func newVet() *cobra.Command {
	var in flags.Input
	cmd := &cobra.Command{
		Use:   "vet -f FILE",
		Short: "Check the external access of every ValkeyCluster",
		Long: `Check the external access of every ValkeyCluster in the files.

Every problem is printed in one run, in source order, as
FILE:LINE:COLUMN: FIELD: what is wrong. Nothing is printed, and the exit code is
0, if there is none. Other objects in the files are ignored.`,
		Example: `  # Check one file, and what a chart renders
  valkey-expose vet -f cluster.yaml
  helm template my-chart | valkey-expose vet -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := in.Load(cmd, gen.Defaults(), nil)
			return err
		},
	}
	in.Flags(cmd)
	return cmd
}
