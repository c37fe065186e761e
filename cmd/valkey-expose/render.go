package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/gen"
)

func newRender(image string) *cobra.Command {
	var in flags.Input
	var options flags.Render
	var format, path string
	var force bool
	cmd := &cobra.Command{
		Use:   "render -f FILE",
		Short: "Render the manifests that make a cluster reachable",
		Long: `Render the manifests that make a cluster reachable.

To standard output, every document of the files passes through in its place; a
ValkeyCluster with external access is followed and preceded by the objects it
needs, in the order of applying. With -o, one cluster's manifests are written to
a directory as a kustomize base: all files or none. Files there that are not
valkey-expose's own are left alone.

What the directory holds is compared first. A change that would remove objects of
the input, remove hostnames while clients are redirected to them or point them
elsewhere, or change ports that clients use, is refused, with the step to take
first. What is removed is listed; valkey-expose plan lists every change.

A run that is killed leaves every file old or new, and a kustomization that does
not build; the next run repairs it. Two runs on one directory wait for each other.`,
		Example: `  # A kustomize base for Git
  valkey-expose render -f cluster.yaml -n default -o deploy/

  # As a filter: a Helm post-renderer, or straight into a cluster
  valkey-expose render -f - < all.yaml
  valkey-expose render -f cluster.yaml -n default | kubectl apply --server-side -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			print, err := streamFormats().Printer(format)
			if err != nil {
				return err
			}
			if err := flags.CheckDirectory(cmd, path); err != nil {
				return err
			}
			if path != "" && cmd.Flags().Changed("format") {
				return errors.New("--format is for standard output, not for --output-dir")
			}
			if path == "" && force {
				return errors.New("--force is for --output-dir: standard output is compared with nothing")
			}
			rendering, o, err := options.Load(cmd, &in)
			if err != nil {
				return err
			}
			if path != "" {
				return renderInto(cmd.Context(), cmd.ErrOrStderr(), rendering, path, force)
			}
			if err := flags.InStream(o, "--output-dir"); err != nil {
				return err
			}
			out, err := print(rendering)
			if err != nil {
				return exit.FailedError{Err: err}
			}
			_, err = cmd.OutOrStdout().Write(out)
			return err
		},
	}
	in.Flags(cmd)
	options.Flags(cmd, image)
	flags.Directory(cmd, &path, "directory to write a kustomize base to, instead of standard output")
	cmd.Flags().BoolVar(&force, "force", false, "with --output-dir, make a change at once even if it breaks clients")
	streamFormats().Flag(cmd, &format, "format of standard output")
	return cmd
}

func streamFormats() flags.Formats[func(*gen.Rendering) ([]byte, error)] {
	return flags.Formats[func(*gen.Rendering) ([]byte, error)]{
		{Name: "yaml", Usage: "a stream", Print: (*gen.Rendering).Stream},
		{Name: "json", Usage: "one List", Print: (*gen.Rendering).List},
	}
}
