package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzCheck: no input makes vet panic, hang, or say more than a person reads.
func FuzzCheck(f *testing.F) {
	addInputs(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		code, stdout, stderr := program(input, "vet", "-f", "-")
		if code != exitDone && code != exitRejected {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		if len(stdout) > 0 {
			t.Errorf("vet printed %q", stdout)
		}
		if code == exitRejected && len(stderr) == 0 {
			t.Error("rejected without a word")
		}
		atMost64KiB(t, stderr)
	})
}

// FuzzRender: no input makes render panic or hang; what is rejected leaves no
// output, and rendering what was rendered changes nothing.
func FuzzRender(f *testing.F) {
	addInputs(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		args := []string{"render", "-f", "-", "--readback-image", "i", "-n", "shop"}
		code, once, stderr := program(input, args...)
		atMost64KiB(t, stderr)
		if code != exitDone {
			if code != exitRejected || len(once) > 0 {
				t.Errorf("exit code %d with %d bytes of output: %s", code, len(once), stderr)
			}
			return
		}
		if len(once) > 8<<20 {
			return // too large to be an input
		}
		code, twice, stderr := program(once, args...)
		if code != exitDone {
			t.Fatalf("the output is rejected: %s\n%s", stderr, once)
		}
		if !bytes.Equal(once, twice) {
			t.Errorf("rendering the output changes it:\n%s\n---- became ----\n%s", once, twice)
		}
	})
}

func program(input []byte, args ...string) (code int, stdout, stderr []byte) {
	var out, err bytes.Buffer
	code = run(context.Background(), args, bytes.NewReader(input), &out, &err)
	return code, out.Bytes(), err.Bytes()
}

func atMost64KiB(t *testing.T, stderr []byte) {
	t.Helper()
	if len(stderr) > 64<<10 {
		t.Errorf("%d bytes of errors", len(stderr))
	}
}

// addInputs seeds with the inputs of the other tests, less their large ones.
func addInputs(f *testing.F) {
	f.Helper()
	for _, pattern := range []string{"../../cue/testdata/*/*", "../../golden/*/input.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no inputs %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			if !strings.Contains(string(text), "shards: 16384") {
				f.Add(text)
			}
		}
	}
}
