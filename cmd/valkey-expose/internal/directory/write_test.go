package directory

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/filetest"
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
	if err := (&Directory{Path: directory}).Write(context.Background(), rendered(words)); err != nil {
		t.Fatal(err)
	}
	return directory
}

// opened is the directory as it is before it is written.
func opened(t *testing.T, directory string) *Directory {
	t.Helper()
	d, err := Open(directory)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func withHeader(words map[string]string) map[string]string {
	all := maps.Clone(words)
	for name, word := range all {
		all[name] = gen.Header + word
	}
	return all
}

// TestWrite: the new files are there, the old ones and the folder that
// held one are not, and nothing else is.
func TestWrite(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	if err := opened(t, directory).Write(context.Background(), rendered(newFiles)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(withHeader(newFiles), filetest.All(t, directory)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if isFolder(filepath.Join(directory, "announce")) {
		t.Error("the empty folder is still there")
	}
}

// TestWriteGivesBack: a file that cannot take its place, and a signal,
// leave all as it was.
func TestWriteGivesBack(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	over, end := context.WithCancel(context.Background())
	end()
	if err := opened(t, directory).Write(over, rendered(newFiles)); err == nil {
		t.Error("a signal was not heeded")
	}
	if diff := cmp.Diff(withHeader(oldFiles), filetest.All(t, directory)); diff != "" {
		t.Errorf("after a signal: -want +got:\n%s", diff)
	}
	d := opened(t, directory)
	blocked := filepath.Join(directory, "readback.yaml", "mine") // a folder that has come meanwhile
	if err := os.MkdirAll(blocked, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(context.Background(), rendered(newFiles)); err == nil {
		t.Error("no error")
	}
	// Taking a file that never arrived away fails as well: what there was is kept.
	staging, _ := filepath.Glob(filepath.Join(directory, ".valkey-expose-*"))
	if len(staging) != 1 || filetest.Get(t, filepath.Join(staging[0], "old", "services.yaml")) != gen.Header+"old" {
		t.Fatalf("what there was is not kept: %v", staging)
	}
	if err := os.RemoveAll(filepath.Dir(blocked)); err != nil {
		t.Fatal(err)
	}
	opened(t, directory)
	if diff := cmp.Diff(withHeader(oldFiles), filetest.All(t, directory)); diff != "" {
		t.Errorf("put right: -want +got:\n%s", diff)
	}
}

// TestWriteReadsNothingAgain: what is put back is what was read, to the byte, though
// it has meanwhile gone from where it stood.
func TestWriteReadsNothingAgain(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	services := filepath.Join(directory, "services.yaml")
	checkedOut := strings.ReplaceAll(filetest.Get(t, services), "\n", "\r\n") // by Git for Windows
	filetest.Put(t, services, checkedOut)
	d := opened(t, directory)
	if err := os.Remove(services); err != nil {
		t.Fatal(err)
	}
	over, end := context.WithCancel(context.Background())
	end()
	if err := d.Write(over, rendered(newFiles)); err == nil {
		t.Error("no error")
	}
	if got := filetest.Get(t, services); got != checkedOut {
		t.Errorf("put back: %q", got)
	}
}

// TestOpenPutsRightAfterEveryStep: wherever a run was killed, every file is an old or a
// new one, and what there was can be put back, also by a run that is killed.
func TestOpenPutsRightAfterEveryStep(t *testing.T) {
	directory := directoryOf(t, oldFiles)
	d := opened(t, directory)
	staging, err := d.stage(rendered(newFiles))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.exchange(context.Background(), staging, rendered(newFiles)); err != nil {
		t.Fatal(err)
	}
	// As if the last two steps were still to come.
	filetest.Put(t, filepath.Join(directory, gen.KustomizationFile), string(gen.HalfWritten(filepath.Base(staging))))
	if _, err := Read(directory); err == nil || err.Error() != directory+" is half-written: a render was cut short; render again" {
		t.Errorf("not recognised: %v", err)
	}
	if err := giveBack(directory, staging); err != nil { // and once more below
		t.Fatal(err)
	}
	filetest.Put(t, filepath.Join(directory, gen.KustomizationFile), string(gen.HalfWritten(filepath.Base(staging))))
	opened(t, directory)
	if diff := cmp.Diff(withHeader(oldFiles), filetest.All(t, directory)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
