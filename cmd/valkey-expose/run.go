package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone     = 0
	exitRejected = 1 // the input was rejected or is out of date, or could not be read or written
	exitMisuse   = 2 // the command line was wrong
)

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{to: stdout}
	root := newRoot(stdin, out, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var rejected rejectedError
	var failed failedError
	var unreadable unreadableError
	switch {
	case out.err != nil: // cobra takes some for misuse, and drops others
		fmt.Fprintf(stderr, "%s: error: writing the output: %v\n", name, out.err)
		return exitRejected
	case err == nil:
		return exitDone
	case errors.As(err, &rejected):
		return exitRejected
	case errors.As(err, &failed):
		fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
		return exitRejected
	case errors.As(err, &unreadable):
		fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
		fmt.Fprintf(stderr, "%s: hint: put back what was rendered last, from Git say; render --force writes without comparing\n", name)
		return exitRejected
	}
	fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
	fmt.Fprintf(stderr, "%s: hint: see %s --help\n", name, name)
	return exitMisuse
}

// output remembers whether what was written arrived.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.to.Write(text)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// rejectedError says that the input was rejected; why has been printed.
type rejectedError struct{}

func (rejectedError) Error() string { return "the input was rejected" }

// failedError is an error of the world, not of the command line: a file that
// cannot be read or written.
type failedError struct{ error }

func (e failedError) Unwrap() error { return e.error }

// unreadableError says that a directory holds a render that cannot be compared with.
type unreadableError struct {
	directory string
	err       error
}

func (e unreadableError) Error() string {
	return printable(fmt.Sprintf("comparing with the last render in %s: %v", e.directory, e.err))
}

const name = "valkey-expose"

func newRoot(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   name,
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
	root.AddCommand(newFn(), newVet(), newRender(), newPlan(), newDiff(), newEndpoints())
	return root
}
