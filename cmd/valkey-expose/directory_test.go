package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/valkey-expose/valkey-expose/gen"
)

// TestExchange: a file changes hands whole, and back if a later one fails.
func TestExchange(t *testing.T) {
	const name = "services.yaml"
	for _, test := range []struct {
		title         string
		old, new      string // "" is no file
		after, undone string
	}{
		{"replaced", "old", "new", "new", "old"},
		{"added", "", "new", "new", ""},
		{"stale", "old", "", "", "old"},
		{"neither", "", "", "", ""},
	} {
		t.Run(test.title, func(t *testing.T) {
			directory, staging := t.TempDir(), t.TempDir()
			put(t, filepath.Join(directory, name), test.old)
			put(t, filepath.Join(staging, name), test.new)
			if err := exchange(directory, staging, name); err != nil {
				t.Fatal(err)
			}
			if got := get(t, filepath.Join(directory, name)); got != test.after {
				t.Errorf("after exchange: %q, want %q", got, test.after)
			}
			if err := restore(directory, staging, name); err != nil {
				t.Fatal(err)
			}
			if got := get(t, filepath.Join(directory, name)); got != test.undone {
				t.Errorf("after restore: %q, want %q", got, test.undone)
			}
		})
	}
}

// TestWriteDirectoryRollsBack: a file that cannot take its place leaves all as it was.
func TestWriteDirectoryRollsBack(t *testing.T) {
	directory := t.TempDir()
	put(t, filepath.Join(directory, gen.KustomizationFile), gen.Header+"old")
	files := []gen.File{
		{Name: gen.KustomizationFile, Text: []byte(gen.Header + "new")},
		{Name: gen.KustomizationFile + "/services.yaml", Text: []byte("x")},
	}
	if err := writeDirectory(directory, files); err == nil {
		t.Fatal("no error")
	}
	if got := get(t, filepath.Join(directory, gen.KustomizationFile)); got != gen.Header+"old" {
		t.Errorf("left behind: %q", got)
	}
	entries, err := os.ReadDir(directory)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if text == "" {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
