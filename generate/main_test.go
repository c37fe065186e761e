package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// moduleOf is a module of one file, a.cue.
func moduleOf(t *testing.T, text string) module {
	t.Helper()
	m, err := readModule(fstest.MapFS{"a.cue": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestArtefactsAreCurrent holds each committed artefact to what the program writes.
func TestArtefactsAreCurrent(t *testing.T) {
	m, err := readModule(os.DirFS("../cue"))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range artefacts {
		have, err := os.ReadFile(filepath.Join("..", a.path))
		if err != nil {
			t.Fatal(err)
		}
		want, err := a.write(m, have)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(have), string(want)); diff != "" {
			t.Errorf("%s is out of date: make generate writes it (-have +want):\n%s", a.path, diff)
		}
	}
}

// TestRun: one more field in the rules, with its sentence, is in every artefact.
func TestRun(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "cue"), os.DirFS("../cue")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"schema", "docs"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	reference := []byte("# Reference\n" + fieldsBegin + fieldsEnd)
	if err := os.WriteFile(filepath.Join(root, "docs/reference.md"), reference, 0o666); err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(root, "cue/externalaccess.cue")
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	const block = "#ExternalAccess: {\n"
	if strings.Count(string(text), block) != 1 {
		t.Fatalf("no %q", block)
	}
	text = []byte(strings.Replace(string(text), block, block+"\t// Any sentence.\n\tanotherField?: int & >=7\n\n", 1))
	if err := os.WriteFile(rules, text, 0o666); err != nil {
		t.Fatal(err)
	}

	if err := run(root); err != nil {
		t.Fatal(err)
	}
	for _, a := range artefacts {
		text, err := os.ReadFile(filepath.Join(root, a.path))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "anotherField") || !strings.Contains(string(text), "Any sentence.") {
			t.Errorf("%s lacks the field:\n%s", a.path, text)
		}
	}
}
