package directory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

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
