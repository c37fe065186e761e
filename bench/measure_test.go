//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTurns: the builds take turns, and the first run of each counts for nothing.
func TestTurns(t *testing.T) {
	order := filepath.Join(t.TempDir(), "order")
	says := func(name string) []string { return []string{"sh", "-c", "printf " + name + " >>" + order} }
	timings, err := measure(context.Background(), timed{args: [2][]string{ofBase: says("b"), ofTree: says("t")}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(order); err != nil || string(got) != "btbtbtbt" {
		t.Errorf("ran as %s: %v", got, err)
	}
	for _, timing := range timings {
		if len(timing.wall) != 3 || len(timing.cpu) != 3 || timing.peak < 1<<16 {
			t.Errorf("%+v", timing)
		}
	}
}

// TestFailedRun: a command that fails ends the whole, with what it said.
func TestFailedRun(t *testing.T) {
	fails := []string{"sh", "-c", "echo why >&2; exit 1"}
	if _, err := measure(context.Background(), timed{args: [2][]string{{"true"}, fails}}, 1); err == nil || !strings.HasSuffix(err.Error(), "exit status 1\nwhy\n") {
		t.Errorf("%v", err)
	}
}
