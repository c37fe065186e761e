package directory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/valkey-expose/valkey-expose/gen"
)

var stagingPattern = regexp.MustCompile(`^\.valkey-expose-[0-9]+$`)

// In a staging folder.
const (
	oldFolder = "old" // the files as they were
	newFolder = "new"
	halfFile  = "half-written.yaml"
)

// stage puts all that is needed into a folder beside its place.
func (d *Directory) stage(files []gen.File) (staging string, err error) {
	staging, err = os.MkdirTemp(d.Path, ".valkey-expose-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(staging))
		}
	}()
	for _, f := range d.Files {
		if err := writeFile(filepath.Join(staging, oldFolder, f.Name), d.onDisk[f.Name]); err != nil {
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
