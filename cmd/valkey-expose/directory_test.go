package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/gen"
)

// rendered are files as a render makes them, with a word each to tell them apart.
func rendered(words map[string]string) []gen.File {
	var files []gen.File
	for _, name := range gen.Files() {
		if word, ok := words[name]; ok {
			files = append(files, gen.File{Name: name, Text: []byte(gen.Header + word)})
		}
	}
	return files
}

var (
	oldFiles = map[string]string{"kustomization.yaml": "old", "services.yaml": "old", "policy.yaml": "old", "announce/kustomization.yaml": "old"}
	newFiles = map[string]string{"kustomization.yaml": "new", "services.yaml": "new", "readback.yaml": "new", "announce.yaml": "new"}
)

// directoryOf is a directory with the files.
func directoryOf(t *testing.T, words map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	if err := writeDirectory(context.Background(), directory, nil, rendered(words)); err != nil {
		t.Fatal(err)
	}
	return directory
}

// everything is all that is in a directory, links included, by name.
func everything(t *testing.T, directory string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(directory, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(directory, path)
		found[name] = get(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func withHeader(words map[string]string) map[string]string {
	all := maps.Clone(words)
	for name, word := range all {
		all[name] = gen.Header + word
	}
	return all
}

// TestWriteDirectory: the new files are there, the old ones and the folder that
// held one are not, and nothing else is.
func TestWriteDirectory(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	if err := writeDirectory(context.Background(), directory, rendered(oldFiles), rendered(newFiles)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withHeader(newFiles), everything(t, directory)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if isFolder(filepath.Join(directory, "announce")) {
		t.Error("the empty folder is still there")
	}
}

// TestWriteDirectoryGivesBack: a file that cannot take its place, and a signal,
// leave all as it was.
func TestWriteDirectoryGivesBack(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	over, end := context.WithCancel(context.Background())
	end()
	if err := writeDirectory(over, directory, rendered(oldFiles), rendered(newFiles)); err == nil {
		t.Error("a signal was not heeded")
	}
	if diff := cmp.Diff(withHeader(oldFiles), everything(t, directory)); diff != "" {
		t.Errorf("after a signal: -want +got:\n%s", diff)
	}
	blocked := filepath.Join(directory, "readback.yaml", "mine") // a folder that has come meanwhile
	if err := os.MkdirAll(blocked, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeDirectory(context.Background(), directory, rendered(oldFiles), rendered(newFiles)); err == nil {
		t.Error("no error")
	}
	// Taking a file that never arrived away fails as well: what there was is kept.
	staging, _ := filepath.Glob(filepath.Join(directory, ".valkey-expose-*"))
	if len(staging) != 1 || get(t, filepath.Join(staging[0], "old", "services.yaml")) != gen.Header+"old" {
		t.Fatalf("what there was is not kept: %v", staging)
	}
	if err := os.RemoveAll(filepath.Dir(blocked)); err != nil {
		t.Fatal(err)
	}
	if err := putRight(directory); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withHeader(oldFiles), everything(t, directory)); diff != "" {
		t.Errorf("put right: -want +got:\n%s", diff)
	}
}

// TestPutRightAfterEveryStep: wherever a run was killed, every file is an old or a
// new one, and what there was can be put back, also by a run that is killed.
func TestPutRightAfterEveryStep(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	staging, err := stage(directory, rendered(oldFiles), rendered(newFiles))
	if err != nil {
		t.Fatal(err)
	}
	if err := exchange(context.Background(), directory, staging, rendered(oldFiles), rendered(newFiles)); err != nil {
		t.Fatal(err)
	}
	// As if the last two steps were still to come.
	put(t, filepath.Join(directory, gen.KustomizationFile), string(gen.HalfWritten(filepath.Base(staging))))
	if _, err := readDirectory(directory); err == nil || err.Error() != directory+" is half-written: a render was cut short; render again" {
		t.Errorf("not recognised: %v", err)
	}
	if err := giveBack(directory, staging); err != nil { // and once more below
		t.Fatal(err)
	}
	put(t, filepath.Join(directory, gen.KustomizationFile), string(gen.HalfWritten(filepath.Base(staging))))
	if err := putRight(directory); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withHeader(oldFiles), everything(t, directory)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
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
