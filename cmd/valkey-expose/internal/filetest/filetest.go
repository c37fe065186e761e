// Package filetest reads and writes files in tests.
package filetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Put writes a file.
func Put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Get reads a file; one that is not there is empty.
func Get(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// All is all that is in a directory, links included, by name.
func All(t *testing.T, directory string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(directory, path)
		found[name] = Get(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
