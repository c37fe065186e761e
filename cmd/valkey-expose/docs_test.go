package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocuments runs every session that a document shows, in a copy of
// examples, and compares what it prints.
func TestDocuments(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	sessions := 0
	for _, document := range append(documents, "../../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range consoleBlock.FindAllStringSubmatch(string(text), -1) {
			sessions++
			t.Run(filepath.Base(document), func(t *testing.T) {
				session(t, block[1])
			})
		}
	}
	if sessions == 0 {
		t.Error("no session in any document")
	}
}

// session runs the lines that begin with "$ " one after another.
func session(t *testing.T, text string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "examples"), os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		got.WriteString(line)
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		got.Write(out)
	}
	if diff := cmp.Diff(text, got.String()); diff != "" {
		t.Errorf("the session differs (-shown +printed):\n%s", diff)
	}
}

// TestDocumentsSpeakOfFlagsThatExist: a flag that a document names is one.
func TestDocumentsSpeakOfFlagsThatExist(t *testing.T) {
	known := map[string]bool{"help": true, "version": true}
	for _, cmd := range ownCommands() {
		for _, m := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(cmd.UsageString(), -1) {
			known[m[1]] = true
		}
	}
	for _, document := range []string{
		"../../README.md", "../../SECURITY.md", "../../CHANGELOG.md", "../../docs/compatibility.md", "../../docs/install.md", reference,
	} {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?:valkey-expose [^\n]*|`)--([a-z-]+)").FindAllStringSubmatch(string(text), -1) {
			if !known[m[1]] {
				t.Errorf("%s names --%s, which no command has", document, m[1])
			}
		}
	}
}
