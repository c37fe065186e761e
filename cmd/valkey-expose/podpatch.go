package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/gen"
)

// readPodPatch reads the file of --readback-pod into the options, and prints every
// problem of it. Standard input may be another's.
func (r *renderFlags) readPodPatch(cmd *cobra.Command, o *gen.Options, stdinTaken bool) error {
	if r.podPatch == "" {
		return nil
	}
	if r.podPatch == "-" && stdinTaken {
		return errors.New("standard input can be read only once")
	}
	name, text, err := read(cmd.InOrStdin(), r.podPatch)
	if err != nil {
		return failedError{err}
	}
	patch, problems := gen.ReadPodPatch(name, text)
	if problems != nil {
		report(cmd.ErrOrStderr(), problems, []string{r.podPatch})
		return rejectedError{}
	}
	o.ReadbackPod = patch
	return nil
}
