package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/printers"
	"github.com/valkey-expose/valkey-expose/gen/transition"
)

func newPlan(image string) *cobra.Command {
	var in flags.Input
	var options flags.Render
	var path, format string
	cmd := &cobra.Command{
		Use:   "plan -f FILE -o DIR",
		Short: "List what a render would change for clients and pods",
		Long: `List what render -o would change for clients and pods, and write nothing.

The nodes that the last render in the directory exposed are compared with those
that the files ask for: which are added and removed, whose port moves, whose
hostname changes, which are served only until they are empty, whether the pods are
rolled or have to be restarted by hand, and what render would refuse without
--force. Give it the flags of render. The exit code is 0 whatever changes.`,
		Example: `  # Before a change is rendered
  valkey-expose plan -f cluster.yaml -n default -o deploy/
  valkey-expose plan -f cluster.yaml -n default -o deploy/ --format json

  # For a comment on a pull request: what changes for clients, refusals first
  valkey-expose plan -f cluster.yaml -n default -o deploy/ --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			print, err := transitionFormats().Printer(format)
			if err != nil {
				return err
			}
			have, want, err := renderBeside(cmd, &options, &in, path)
			if err != nil {
				return err
			}
			t, err := have.Compare(want)
			if err != nil {
				return err
			}
			return print(cmd.OutOrStdout(), t)
		},
	}
	in.Flags(cmd)
	options.Flags(cmd, image)
	flags.RequiredDirectory(cmd, &path)
	transitionFormats().Flag(cmd, &format, "format of the output")
	return cmd
}

func transitionFormats() flags.Formats[func(io.Writer, transition.Transition) error] {
	return flags.Formats[func(io.Writer, transition.Transition) error]{
		{Name: "text", Print: printers.TransitionText},
		{Name: "json", Print: printers.TransitionJSON},
		{Name: "markdown", Print: printers.TransitionMarkdown},
	}
}
