package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
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

// TestDocumentHasTheExitCodes: all of them, and no others.
func TestDocumentHasTheExitCodes(t *testing.T) {
	text, err := os.ReadFile("../../docs/readback.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Exit codes\n")
	table, _, _ = strings.Cut(table, "\n#")
	var codes []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([\d, ]+) \|`).FindAllStringSubmatch(table, -1) {
		codes = append(codes, strings.Split(m[1], ", ")...)
	}
	var want []string
	for _, code := range []int{
		exitDone, exitFailed, exitMisuse, exitSuperseded, exitNoPolicy, exitTimedOut,
		128 + int(syscall.SIGINT), 128 + int(syscall.SIGTERM),
	} {
		want = append(want, strconv.Itoa(code))
	}
	if !slices.Equal(codes, want) {
		t.Errorf("docs/readback.md has %v, the program %v", codes, want)
	}
}

// TestHelpHasTheDefaultTimeout: the flag's help, which the document shows, says what
// the default is made of.
func TestHelpHasTheDefaultTimeout(t *testing.T) {
	none := schema.ReadbackTimeout(0)
	want := fmt.Sprintf("(default: %dm, and %dm more for each node)", int(none.Minutes()), int((schema.ReadbackTimeout(1) - none).Minutes()))
	_, set, err := parse([]string{"--help"})
	if err != nil {
		t.Fatal(err)
	}
	if usage := set.Lookup("timeout").Usage; !strings.Contains(usage, want) {
		t.Errorf("--timeout: %q does not say %q", usage, want)
	}
}
