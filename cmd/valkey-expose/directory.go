package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/valkey-expose/valkey-expose/gen"
)

// halfWrittenError says that a render of a directory was cut short.
type halfWrittenError struct{ directory string }

func (e halfWrittenError) Error() string {
	return printable(e.directory + " is half-written: a render was cut short; render again")
}

// readDirectory reads the files that a directory holds of ours. One that is not
// there holds none. It refuses files that have our names and are not ours.
func readDirectory(directory string) ([]gen.File, error) {
	files, err := readFiles(directory)
	if err != nil {
		return nil, err
	}
	if len(files) > 0 && files[0].Name == gen.KustomizationFile {
		if _, half := gen.HalfWrittenFrom(files[0].Text); half {
			return nil, halfWrittenError{directory}
		}
	}
	return files, nil
}

// readFiles reads the files that are ours, also of a directory that is
// half-written. No link is followed.
func readFiles(directory string) ([]gen.File, error) {
	if err := soleKustomization(directory); err != nil {
		return nil, err
	}
	var files []gen.File
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
			return nil, fmt.Errorf("%s is in the way: it is no regular file", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text, ours := gen.Rendered(text)
		if !ours {
			return nil, fmt.Errorf("%s is in the way: valkey-expose did not write it (its first line would say so)", path)
		}
		files = append(files, gen.File{Name: name, Text: text})
	}
	return files, nil
}

// soleKustomization refuses a folder that has a kustomization by another name than
// ours: kustomize builds none that has two.
func soleKustomization(folder string) error {
	for _, name := range []string{"kustomization.yml", "Kustomization"} {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is in the way: kustomize builds no folder with two kustomizations", path)
		}
	}
	return nil
}

// isFolder reports whether there is a folder, rather than a link to one.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
