package main

import (
	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/gen"
)

// readPodPatch reads the file of --readback-pod into the options, and prints every
// problem of it.
func (r *renderFlags) readPodPatch(cmd *cobra.Command, o *gen.Options) error {
	if r.podPatch == "" {
		return nil
	}
	_, text, err := read(cmd.InOrStdin(), r.podPatch)
	if err != nil {
		return failedError{err}
	}
	patch, problems := gen.ReadPodPatch(r.podPatch, text)
	if problems != nil {
		report(cmd.ErrOrStderr(), problems, []string{r.podPatch})
		return rejectedError{}
	}
	o.ReadbackPod = patch
	return nil
}
