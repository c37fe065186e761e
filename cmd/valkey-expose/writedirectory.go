package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/valkey-expose/valkey-expose/gen"
)

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
var stagingPattern = regexp.MustCompile(`^\.valkey-expose-[0-9]+$`)

// In a staging folder.
const (
	oldFolder = "old" // the files as they were
	newFolder = "new"
	halfFile  = "half-written.yaml"
)

// writeDirectory puts the files into a directory in the place of those that it
// holds of ours. It must be locked. A context that ends takes it all back.
func writeDirectory(ctx context.Context, directory string, have, files []gen.File) error {
	if sameFiles(have, files) {
		return nil
	}
	for _, f := range files {
		if err := freeFolder(directory, f.Name); err != nil {
			return err
		}
	}
	staging, err := stage(directory, have, files)
	if err != nil {
		return err
	}
	if err := exchange(ctx, directory, staging, have, files); err != nil {
		if back := giveBack(directory, staging); back != nil {
			return errors.Join(err, fmt.Errorf("putting back what there was: %w", back),
				fmt.Errorf("the directory is half-written; what there was is in %s, and the next render puts it back", filepath.Join(staging, oldFolder)))
		}
		return errors.Join(err, os.RemoveAll(staging))
	}
	return os.RemoveAll(staging)
}

func sameFiles(a, b []gen.File) bool {
	for _, name := range gen.Files() {
		if !bytes.Equal(gen.TextOf(a, name), gen.TextOf(b, name)) {
			return false
		}
	}
	return true
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
		return errors.Join(err, fmt.Errorf("%s is in the way: it is no folder", folder))
	}
	return nil
}

// stage puts all that is needed into a folder beside its place.
func stage(directory string, have, files []gen.File) (staging string, err error) {
	staging, err = os.MkdirTemp(directory, ".valkey-expose-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(staging))
		}
	}()
	for _, f := range have {
		old, err := os.ReadFile(filepath.Join(directory, f.Name)) // its line ends may be others
		if err == nil {
			err = writeFile(filepath.Join(staging, oldFolder, f.Name), old)
		}
		if err != nil {
			return "", err
		}
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(staging, newFolder, f.Name), f.Text); err != nil {
			return "", err
		}
	}
	// Git passes by a staging folder that a killed run leaves behind.
	if err := writeFile(filepath.Join(staging, ".gitignore"), []byte("*\n")); err != nil {
		return "", err
	}
	if err := writeFile(filepath.Join(staging, halfFile), gen.HalfWritten(filepath.Base(staging))); err != nil {
		return "", err
	}
	for _, folder := range []string{newFolder, oldFolder, "."} {
		syncFolder(filepath.Join(staging, folder))
	}
	return staging, nil
}

// exchange gives the new files their names.
func exchange(ctx context.Context, directory, staging string, have, files []gen.File) error {
	kustomization := filepath.Join(directory, gen.KustomizationFile)
	if err := os.Rename(filepath.Join(staging, halfFile), kustomization); err != nil {
		return err
	}
	syncFolder(directory)
	for _, name := range gen.Files() {
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		if name == gen.KustomizationFile {
			continue
		}
		var err error
		switch path := filepath.Join(directory, name); {
		case gen.TextOf(files, name) != nil:
			err = moveInto(filepath.Join(staging, newFolder, name), path)
		case gen.TextOf(have, name) != nil:
			err = removeFrom(directory, name)
		}
		if err != nil {
			return err
		}
	}
	syncFolder(directory)
	if err := os.Rename(filepath.Join(staging, newFolder, gen.KustomizationFile), kustomization); err != nil {
		return err
	}
	syncFolder(directory)
	return nil
}

// giveBack puts back what a staging folder has of the old files, and takes away
// the others. The folder keeps them, so that it can be done again; the
// kustomization comes last.
func giveBack(directory, staging string) error {
	names := gen.Files()
	for _, name := range append(names[1:], names[0]) {
		old, err := os.ReadFile(filepath.Join(staging, oldFolder, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = removeFrom(directory, name)
		case err == nil:
			err = putBack(staging, old, filepath.Join(directory, name))
		}
		if err != nil {
			return err
		}
	}
	syncFolder(directory)
	return nil
}

func putBack(staging string, old []byte, path string) error {
	spare := filepath.Join(staging, "spare")
	if err := os.RemoveAll(spare); err != nil { // of a run that was killed here
		return err
	}
	if err := writeFile(spare, old); err != nil {
		return err
	}
	return moveInto(spare, path)
}

// putRight ends what a run that was killed left behind: a directory half-written,
// and staging folders. The directory must be locked.
func putRight(directory string) error {
	files, err := readFiles(directory)
	if err != nil {
		return err
	}
	if staging, half := gen.HalfWrittenFrom(gen.TextOf(files, gen.KustomizationFile)); half {
		folder := filepath.Join(directory, staging)
		if !stagingPattern.MatchString(staging) || !isFolder(folder) {
			return unreadableError{directory, fmt.Errorf("it is half-written, and %s, which holds what there was, is gone", staging)}
		}
		if err := giveBack(directory, folder); err != nil {
			return fmt.Errorf("putting back what there was before a render was cut short, from %s: %w", folder, err)
		}
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && stagingPattern.MatchString(e.Name()) {
			if err := os.RemoveAll(filepath.Join(directory, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFile writes a file that survives a crash once it has its name.
func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// moveInto gives a staged file its place.
func moveInto(staged, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.Rename(staged, path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// removeFrom takes a file of ours away if it is there, and the folder that we made
// for it unless something else is in it.
func removeFrom(directory, name string) error {
	folder := filepath.Join(directory, filepath.Dir(name))
	if !isFolder(folder) {
		return nil
	}
	err := os.Remove(filepath.Join(directory, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && filepath.Dir(name) != "." {
		_ = os.Remove(folder) // which fails unless it is empty
	}
	return err
}

// syncFolder makes names survive a crash of the machine, where a file system can.
func syncFolder(path string) {
	if f, err := os.Open(path); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
