package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuildTimeDefaults: a release names its version and the image of its Job.
func TestBuildTimeDefaults(t *testing.T) {
	program := filepath.Join(t.TempDir(), name)
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
