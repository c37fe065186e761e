package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/directory"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/printers"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/transition"
)

// renderInto writes the manifests of the one cluster with external access to a
// directory, unless that would break clients of what it holds.
func renderInto(ctx context.Context, stderr io.Writer, rendering *gen.Rendering, path string, force bool) error {
	want, err := base(rendering)
	if err != nil {
		return err
	}
	writing := func(err error) error { return exit.FailedError{Err: fmt.Errorf("writing %s: %w", path, err)} }
	if rendering.HasCluster() { // else the directory must be there
		if err := os.MkdirAll(path, 0o777); err != nil {
			return writing(err)
		}
	}
	unlock, err := directory.Lock(path, func() {
		report.Note(stderr, "waiting for another render to end in %s", report.Printable(path))
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && !rendering.HasCluster():
		return errNoCluster
	case err != nil:
		return writing(err)
	}
	defer unlock()

	var t transition.Transition
	have, err := directory.Open(path)
	if err == nil {
		if err := replaceable(have, rendering); err != nil {
			return err
		}
		t, err = have.Compare(want)
	}
	var unreadable directory.UnreadableError
	switch {
	case errors.As(err, &unreadable) && !force:
		return unreadable
	case err != nil && !errors.As(err, &unreadable):
		return writing(err)
	case len(t.Refusals) > 0 && !force:
		printers.Refusals(stderr, path, t)
		return exit.RejectedError{}
	}
	// From here on a signal is heeded between two steps, so that none is left half done.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := have.Write(ctx, want.Files); err != nil {
		return writing(err)
	}
	printers.Notes(stderr, t)
	return nil
}

// renderBeside renders what a directory should hold, and reads what it holds.
func renderBeside(cmd *cobra.Command, options *flags.Render, in *flags.Input, path string) (have *directory.Directory, want gen.Base, err error) {
	if err := flags.CheckDirectory(cmd, path); err != nil {
		return nil, want, err
	}
	rendering, _, err := options.Load(cmd, in)
	if err != nil {
		return nil, want, err
	}
	if want, err = base(rendering); err != nil {
		return nil, want, err
	}
	if have, err = directory.Read(path); err != nil {
		return nil, want, exit.FailedError{Err: fmt.Errorf("reading %s: %w", path, err)}
	}
	return have, want, replaceable(have, rendering)
}

// base renders the kustomize base of the one cluster with external access. Where
// none has it any more, what was rendered when one had is no longer among the files.
func base(rendering *gen.Rendering) (want gen.Base, err error) {
	if n := len(rendering.Plans()); n > 1 {
		return want, exit.FailedError{Err: fmt.Errorf("a directory holds one cluster with external access, and the input has %d", n)}
	}
	if want, err = rendering.Base(); err != nil {
		return want, exit.FailedError{Err: err}
	}
	return want, nil
}

// replaceable refuses an input without a ValkeyCluster where nothing was rendered:
// which cluster has no external access any more, only the directory could say.
func replaceable(have *directory.Directory, rendering *gen.Rendering) error {
	if !rendering.HasCluster() && !have.HoldsRender() {
		return errNoCluster
	}
	return nil
}

var errNoCluster = exit.FailedError{Err: errors.New("a directory holds one cluster with external access, and the input has no ValkeyCluster")}
