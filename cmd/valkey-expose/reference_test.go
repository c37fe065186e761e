package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

const reference = "../../docs/reference.md"

// TestReference holds the generated parts of the reference, between
// "<!-- begin NAME -->" and "<!-- end NAME -->", to the program: the flags and the
// flowchart come from the commands. UPDATE=1 writes them anew.
func TestReference(t *testing.T) {
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for name, part := range map[string]string{"commands": commandTables(), "flowchart": flowchart(t)} {
		begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
		before, rest, found := strings.Cut(got, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("no part %s", name)
		}
		got = before + begin + "\n" + part + "\n" + end + after
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(reference, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(got, string(text)); diff != "" {
		t.Errorf("docs/reference.md is out of date (UPDATE=1 writes it):\n%s", diff)
	}
}

func flowchart(t *testing.T) string {
	t.Helper()
	code, stdout, stderr := program(nil, "endpoints", "-f", "../../examples/cluster.yaml", "--format", "mermaid")
	if code != exit.Done {
		t.Fatalf("%s", stderr)
	}
	return "```mermaid\n" + string(stdout) + "```\n"
}

func commandTables() string {
	var b strings.Builder
	for _, cmd := range ownCommands() {
		fmt.Fprintf(&b, "### %s %s\n\n%s\n\n```sh\n%s\n```\n\nFlags:\n\n```text\n%s```\n\n",
			report.Program, cmd.Name(), cmd.Long, unindent(cmd.Example), unindent(cmd.LocalFlags().FlagUsages()))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// unindent takes two blanks from the front of each line.
func unindent(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
}

// ownCommands are the commands less cobra's.
func ownCommands() []*cobra.Command {
	var own []*cobra.Command
	for _, cmd := range newRoot(bytes.NewReader(nil), io.Discard, io.Discard).Commands() {
		if cmd.Name() != "help" && cmd.Name() != "completion" {
			own = append(own, cmd)
		}
	}
	return own
}

// TestEveryCommand holds all commands to the same habits.
func TestEveryCommand(t *testing.T) {
	for _, cmd := range ownCommands() {
		if !strings.Contains(cmd.Example, report.Program+" "+cmd.Name()) {
			t.Errorf("%s has no example", cmd.Name())
		}
		if cmd.Args == nil || cmd.Args(cmd, []string{"stray"}) == nil {
			t.Errorf("%s accepts a stray argument", cmd.Name())
		}
		if strings.HasSuffix(cmd.Short, ".") || cmd.Long == "" {
			t.Errorf("%s: %q, %q", cmd.Name(), cmd.Short, cmd.Long)
		}
	}
}

var kindLine = regexp.MustCompile(`(?m)^kind: (\w+)$`)

// TestReferenceNamesEveryKind: what is rendered anywhere has its row.
func TestReferenceNamesEveryKind(t *testing.T) {
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := filepath.Glob("../../golden/*/output.yaml")
	if err != nil || len(outputs) == 0 {
		t.Fatalf("no golden outputs: %v", err)
	}
	for _, output := range outputs {
		yaml, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range kindLine.FindAllSubmatch(yaml, -1) {
			if kind := string(m[1]); kind != "Namespace" && !bytes.Contains(text, []byte("| "+kind+" ")) {
				t.Errorf("%s renders a %s, which the reference does not name", output, kind)
			}
		}
	}
}
