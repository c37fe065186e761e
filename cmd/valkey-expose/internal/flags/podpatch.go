package flags

import (
	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen"
)

// readPodPatch reads the file of --readback-pod into the options, and prints every
// problem of it. Standard input may be another's.
func (r *Render) readPodPatch(cmd *cobra.Command, o *gen.Options, stdinTaken bool) error {
	if r.podPatch == "" {
		return nil
	}
	if r.podPatch == "-" && stdinTaken {
		return errStdinTwice
	}
	name, text, err := Read(cmd.InOrStdin(), r.podPatch)
	if err != nil {
		return exit.FailedError{Err: err}
	}
	patch, problems := gen.ReadPodPatch(name, text)
	if problems != nil {
		report.Problems(cmd.ErrOrStderr(), problems, []string{r.podPatch})
		return exit.RejectedError{}
	}
	o.ReadbackPod = patch
	return nil
}
