package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/directory"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/printers"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

// renderInto writes the manifests of the one cluster with external access to a
// directory, unless that would break clients of what it holds.
func renderInto(ctx context.Context, stderr io.Writer, documents []schema.Document, o gen.Options, path string, force bool) error {
	files, err := base(documents, o)
	if err != nil {
		return err
	}
	writing := func(err error) error { return exit.FailedError{Err: fmt.Errorf("writing %s: %w", path, err)} }
	if hasCluster(documents) { // else the directory must be there
		if err := os.MkdirAll(path, 0o777); err != nil {
			return writing(err)
		}
	}
	unlock, err := directory.Lock(path, func() {
		report.Note(stderr, "waiting for another render to end in %s", report.Printable(path))
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && !hasCluster(documents):
		return errNoCluster
	case err != nil:
		return writing(err)
	}
	defer unlock()

	var t gen.Transition
	have, err := directory.Open(path)
	if err == nil {
		if err := replaceable(have, documents); err != nil {
			return err
		}
		t, err = have.Compare(files)
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
	if err := have.Write(ctx, files); err != nil {
		return writing(err)
	}
	printers.Notes(stderr, t)
	return nil
}

// renderBeside renders what a directory should hold, and reads what it holds.
func renderBeside(cmd *cobra.Command, options *flags.Render, in *flags.Input, path string) (have *directory.Directory, files []gen.File, err error) {
	if err := flags.CheckDirectory(cmd, path); err != nil {
		return nil, nil, err
	}
	documents, o, err := options.Load(cmd, in)
	if err != nil {
		return nil, nil, err
	}
	if files, err = base(documents, o); err != nil {
		return nil, nil, err
	}
	if have, err = directory.Read(path); err != nil {
		return nil, nil, exit.FailedError{Err: fmt.Errorf("reading %s: %w", path, err)}
	}
	return have, files, replaceable(have, documents)
}

// base renders the kustomize base of the one cluster with external access. Where
// none has it any more, what was rendered when one had is no longer among the files.
func base(documents []schema.Document, o gen.Options) ([]gen.File, error) {
	if n := len(gen.Exposed(documents)); n > 1 {
		return nil, exit.FailedError{Err: fmt.Errorf("a directory holds one cluster with external access, and the input has %d", n)}
	}
	files, err := gen.Directory(documents, o)
	if err != nil {
		return nil, exit.FailedError{Err: err}
	}
	return files, nil
}

// replaceable refuses an input without a ValkeyCluster where nothing was rendered:
// which cluster has no external access any more, only the directory could say.
func replaceable(have *directory.Directory, documents []schema.Document) error {
	if !hasCluster(documents) && !have.HoldsRender() {
		return errNoCluster
	}
	return nil
}

func hasCluster(documents []schema.Document) bool {
	return slices.ContainsFunc(documents, func(d schema.Document) bool { return d.IsCluster() })
}

var errNoCluster = exit.FailedError{Err: errors.New("a directory holds one cluster with external access, and the input has no ValkeyCluster")}
