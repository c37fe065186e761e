package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// TestBuildTimeDefaults: a release names its version and the image of its Job.
func TestBuildTimeDefaults(t *testing.T) {
	// Go keeps what it builds for run.
	program := func(args ...string) (string, error) {
		ldflags := "-X main.version=v1.2.3 -X main.readbackImage=registry.example.com/readback:v1.2.3"
		out, err := exec.Command("go", append([]string{"run", "-ldflags", ldflags, "."}, args...)...).Output()
		return string(out), err
	}
	if out, err := program("--version"); err != nil || out != "valkey-expose v1.2.3\n" {
		t.Errorf("--version: %q %v", out, err)
	}
	out, err := program("render", "-f", "../../golden/nodeport_ip/input.yaml")
	if err != nil || !strings.Contains(out, "image: registry.example.com/readback:v1.2.3\n") {
		t.Errorf("render without --readback-image: %v", err)
	}
}

// TestInterrupt: a run that is in the middle of its input ends at a signal.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(report.Program, "vet", "-f", "-")
	input, err := cmd.StdinPipe() // never closed, so that there is nothing else to end on
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: once it is written, some of it has been read.
	if _, err := input.Write(bytes.Repeat([]byte("# more\n"), 1<<17)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exited *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exited) || exited.Exited() {
		t.Errorf("not ended by the signal: %v", err)
	}
}
