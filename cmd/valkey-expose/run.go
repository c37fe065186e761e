package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/directory"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &errWriter{to: stdout}
	root := newRoot(stdin, out, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var rejected exit.RejectedError
	var failed exit.FailedError
	var unreadable directory.UnreadableError
	switch {
	case out.err != nil: // cobra takes some for misuse, and drops others
		report.Error(stderr, "writing the output: %v", out.err)
		return exit.Rejected
	case err == nil:
		return exit.Done
	case errors.As(err, &rejected):
		return exit.Rejected
	case errors.As(err, &failed):
		report.Error(stderr, "%v", err)
		return exit.Rejected
	case errors.As(err, &unreadable):
		report.Error(stderr, "%v", err)
		report.Hint(stderr, "restore what was rendered last, for example from Git; render --force writes without comparing")
		return exit.Rejected
	}
	report.Error(stderr, "%v", err)
	report.Hint(stderr, "see %s --help", report.Program)
	return exit.Misuse
}

// errWriter remembers whether what was written arrived.
type errWriter struct {
	to  io.Writer
	err error
}

func (o *errWriter) Write(text []byte) (int, error) {
	n, err := o.to.Write(text)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

func newRoot(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   report.Program,
		Short: "Make a Valkey cluster on Kubernetes reachable from outside",
		Long: `Make a Valkey cluster on Kubernetes reachable from outside, redirects included.

A ValkeyCluster with an externalAccess block goes in, static manifests come out:
a Service for each shard, TCPRoutes for a Gateway, the settings that every node
announces, and a Job that announces what only Kubernetes knows.`,
		Example: `  # Check the block, then render what follows from it
  valkey-expose vet -f cluster.yaml
  valkey-expose render -f cluster.yaml -n default -o deploy/`,
		Version:       buildVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.AddCommand(newFn(readbackImage), newVet(), newRender(readbackImage), newPlan(readbackImage), newDiff(readbackImage), newEndpoints(), newDNS())
	return root
}
