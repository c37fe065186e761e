package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// TestBuildTimeDefaults: a release names its version and the image of its Job.
func TestBuildTimeDefaults(t *testing.T) {
	program := filepath.Join(t.TempDir(), report.Program)
	build := exec.Command("go", "build", "-ldflags",
		"-X main.version=v1.2.3 -X main.readbackImage=registry.example.com/readback:v1.2.3", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program, "--version").Output(); err != nil || string(out) != "valkey-expose v1.2.3\n" {
		t.Errorf("--version: %q %v", out, err)
	}
	out, err := exec.Command(program, "render", "-f", "../../golden/nodeport_ip/input.yaml").Output()
	if err != nil || !strings.Contains(string(out), "image: registry.example.com/readback:v1.2.3\n") {
		t.Errorf("render without --readback-image: %v", err)
	}
}

// TestInterrupt: a run that waits for its input ends when it is told to.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(built(t), "vet", "-f", "-")
	input, err := cmd.StdinPipe() // never closed, so that there is nothing else to end on
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("ended as if nothing had happened")
	}
}

// built is the program as go build makes it.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), report.Program)
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
