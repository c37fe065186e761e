package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
)

// TestReportIsBounded: an input of nothing but mistakes gets an answer that can
// be read, and that says there is more.
func TestReportIsBounded(t *testing.T) {
	var input bytes.Buffer
	for i := range 700 {
		fmt.Fprintf(&input, "---\napiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: c%d}\nspec: {shards: 0, externalAccess: {enabled: true, domain: -}}\n", i)
	}
	code, stdout, stderr := program(input.Bytes(), "vet", "-f", "-")
	atMost64KiB(t, stderr)
	if code != exit.Rejected || len(stdout) > 0 {
		t.Errorf("exit code %d, %d bytes of output", code, len(stdout))
	}
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	if len(lines) < 100 || !strings.HasSuffix(lines[len(lines)-1], "more problems are not shown") {
		t.Errorf("%d lines, the last: %s", len(lines), lines[len(lines)-1])
	}
}

// TestReportKeepsToItsLine: what a key holds neither breaks a line nor steers a
// terminal, however long it is.
func TestReportKeepsToItsLine(t *testing.T) {
	input := `{"apiVersion": "valkey.io/v1alpha1", "kind": "ValkeyCluster", "metadata": {"name": "a"},
"spec": {"shards": 1, "externalAccess": {"enabled": true, "a\n\u001b[31m` + strings.Repeat("x", 100000) + `": 1}}}`
	_, _, stderr := program([]byte(input), "vet", "-f", "-")
	if n := bytes.Count(stderr, []byte("\n")); n != 1 || bytes.ContainsRune(stderr, '\x1b') || len(stderr) > 1100 {
		t.Errorf("%d lines, %d bytes: %.200q", n, len(stderr), stderr)
	}
}
