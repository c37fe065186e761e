package directory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/valkey-expose/valkey-expose/gen"
)

// Write puts the files into the directory in the place of those that it holds of
// ours. It must be locked, and not have changed since it was read. A context that
// ends takes it all back.
//
// A directory is written so that a run may be killed at any instant, and every
// file is an old or a new one:
//
//  1. What is new, and what there was, are put into a staging folder inside it.
//  2. A kustomization that does not build, and names that folder, takes the place
//     of the one there was.
//  3. The new files take their places one by one, and stale ones go.
//  4. The new kustomization takes its place, and the staging folder goes.
//
// Where a step fails, and where the next run finds a kustomization of step 2, what
// there was is put back.
func (d *Directory) Write(ctx context.Context, files []gen.File) error {
	if len(d.Differences(files)) == 0 {
		return nil
	}
	for _, f := range files {
		if err := freeFolder(d.Path, f.Name); err != nil {
			return err
		}
	}
	staging, err := d.stage(files)
	if err != nil {
		return err
	}
	if err := d.exchange(ctx, staging, files); err != nil {
		if back := giveBack(d.Path, staging); back != nil {
			return errors.Join(err, fmt.Errorf("putting back what there was: %w", back),
				fmt.Errorf("the directory is half-written; what there was is in %s, and the next render puts it back", filepath.Join(staging, oldFolder)))
		}
		return errors.Join(err, os.RemoveAll(staging))
	}
	return os.RemoveAll(staging)
}

// exchange gives the new files their names.
func (d *Directory) exchange(ctx context.Context, staging string, files []gen.File) error {
	kustomization := filepath.Join(d.Path, gen.KustomizationFile)
	if err := os.Rename(filepath.Join(staging, halfFile), kustomization); err != nil {
		return err
	}
	syncFolder(d.Path)
	for _, name := range gen.Files() {
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		if name == gen.KustomizationFile {
			continue
		}
		var err error
		switch path := filepath.Join(d.Path, name); {
		case gen.TextOf(files, name) != nil:
			err = moveInto(filepath.Join(staging, newFolder, name), path)
		case gen.TextOf(d.Files, name) != nil:
			err = removeFrom(d.Path, name)
		}
		if err != nil {
			return err
		}
	}
	syncFolder(d.Path)
	if err := os.Rename(filepath.Join(staging, newFolder, gen.KustomizationFile), kustomization); err != nil {
		return err
	}
	syncFolder(d.Path)
	return nil
}

// freeFolder refuses to write a file into a folder that is a link, none, or has
// another kustomization.
func freeFolder(directory, name string) error {
	folder := filepath.Join(directory, filepath.Dir(name))
	if filepath.Dir(name) == "." {
		return nil
	}
	if isFolder(folder) {
		return soleKustomization(folder)
	}
	if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s is in the way: it is not a directory", folder))
	}
	return nil
}
