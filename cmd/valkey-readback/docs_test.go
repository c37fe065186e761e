package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestDocument holds the flags in the document to the program's. UPDATE=1 writes
// them anew.
func TestDocument(t *testing.T) {
	const document, begin, end = "../../docs/readback.md", "<!-- begin flags -->\n", "<!-- end flags -->\n"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var help bytes.Buffer
	if code := run(t.Context(), []string{"--help"}, &help, &help); code != exitDone {
		t.Fatalf("--help: exit code %d", code)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("the document has no place for the flags")
	}
	_, flags, _ := strings.Cut(help.String(), "Flags:\n")
	want := before + begin + "\n```text\n" + flags + "```\n\n" + end + after
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(document, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Error("the flags in docs/readback.md are out of date: make generate")
	}
}
