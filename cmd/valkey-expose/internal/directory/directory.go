// Package directory reads and writes the directories that hold a rendered
// kustomize base. What a program that is killed leaves behind, and what people
// have beside it, is its trouble; what the files say is package gen's.
package directory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/transition"
)

// Directory is a rendered directory as it was when it was read.
type Directory struct {
	Path  string
	Files []gen.File // of ours, as they were rendered

	onDisk map[string][]byte // their content: Git may have given it other line ends
}

// UnreadableError says that a directory holds a render that cannot be compared with.
type UnreadableError struct {
	Directory string
	Err       error
}

func (e UnreadableError) Error() string {
	return report.Printable(fmt.Sprintf("comparing with the last render in %s: %v", e.Directory, e.Err))
}

// Read reads the files that a directory holds of ours. One that is not there holds
// none. It refuses files that have our names and are not ours.
func Read(path string) (*Directory, error) {
	d, err := read(path)
	if err != nil {
		return nil, err
	}
	if _, half := d.halfWritten(); half {
		return nil, errors.New(report.Printable(path + " is half-written: a render was cut short; render again"))
	}
	return d, nil
}

// HoldsRender reports whether something was rendered into the directory.
func (d *Directory) HoldsRender() bool { return gen.TextOf(d.Files, gen.KustomizationFile) != nil }

// Compare works out what changes from the files that the directory holds to those
// that are rendered.
func (d *Directory) Compare(want gen.Base) (transition.Transition, error) {
	t, err := want.Compare(d.Files)
	if err != nil {
		return t, UnreadableError{d.Path, err}
	}
	return t, nil
}

// Difference is one file that is not what would be rendered; Have or Want is nil
// where there is none.
type Difference struct {
	Name       string
	Have, Want []byte
}

// Differences lists the files that the directory holds and those it should hold,
// where the two differ.
func (d *Directory) Differences(files []gen.File) []Difference {
	var all []Difference
	for _, name := range gen.Files() {
		if d := (Difference{name, gen.TextOf(d.Files, name), gen.TextOf(files, name)}); !bytes.Equal(d.Have, d.Want) {
			all = append(all, d)
		}
	}
	return all
}

// halfWritten is the staging folder of a render that was cut short; ok is false
// where none was.
func (d *Directory) halfWritten() (staging string, ok bool) {
	return gen.HalfWrittenFrom(gen.TextOf(d.Files, gen.KustomizationFile))
}

// read reads the files that are ours, also of a directory that is half-written. No
// link is followed.
func read(directory string) (*Directory, error) {
	if err := soleKustomization(directory); err != nil {
		return nil, err
	}
	d := &Directory{Path: directory, onDisk: map[string][]byte{}}
	for _, name := range gen.Files() {
		if folder := filepath.Dir(name); folder != "." && !isFolder(filepath.Join(directory, folder)) {
			continue // what stands there is not ours
		}
		path := filepath.Join(directory, name)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is in the way: it is not a regular file", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		d.onDisk[name] = text
		text, ours := gen.Rendered(text)
		if !ours {
			return nil, fmt.Errorf("%s is in the way: valkey-expose did not write it (its first line would say so)", path)
		}
		d.Files = append(d.Files, gen.File{Name: name, Text: text})
	}
	return d, nil
}

// soleKustomization refuses a folder that has a kustomization by another name than
// ours: kustomize builds none that has two.
func soleKustomization(folder string) error {
	for _, name := range []string{"kustomization.yml", "Kustomization"} {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is in the way: kustomize does not build a directory with two kustomizations", path)
		}
	}
	return nil
}

// isFolder reports whether there is a folder, rather than a link to one.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
