package main

import (
	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/printers"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

func newDiff(image string) *cobra.Command {
	var in flags.Input
	var options flags.Render
	var path string
	cmd := &cobra.Command{
		Use:   "diff -f FILE -o DIR",
		Short: "Check whether a directory holds what render would write",
		Long: `Check whether a directory holds what render would write there now.

If so, nothing is printed and the exit code is 0. If not, it is 1: a unified diff
of every file goes to standard output, and what is missing, stale or changed is
named on standard error, with what render would refuse. Nothing is written. Give
it the flags that render was given. Files that are not valkey-expose's own are
ignored. File names in the diff are relative to the directory.`,
		Example: `  # In CI: was the cluster changed, and not rendered?
  valkey-expose diff -f cluster.yaml -n default -o deploy/

  # The diff is a patch
  valkey-expose diff -f cluster.yaml -n default -o deploy/ | patch -d deploy/ -p1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			have, want, err := renderBeside(cmd, &options, &in, path)
			if err != nil {
				return err
			}
			all := have.Differences(want.Files)
			if err := printers.Differences(cmd.OutOrStdout(), cmd.ErrOrStderr(), path, all); err != nil {
				return err
			}
			if len(all) == 0 {
				return nil
			}
			t, err := have.Compare(want)
			if err != nil {
				return err
			}
			for _, r := range t.Refusals {
				report.Note(cmd.ErrOrStderr(), "render refuses this without --force: the change %s", report.Printable(r.Reason))
			}
			return exit.RejectedError{}
		},
	}
	in.Flags(cmd)
	options.Flags(cmd, image)
	flags.RequiredDirectory(cmd, &path)
	return cmd
}
