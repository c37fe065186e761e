//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecondRenderWaits: while one render is in a directory, another says that it
// waits, and goes on when the first has ended.
func TestSecondRenderWaits(t *testing.T) {
	program, directory := built(t), t.TempDir()
	unlock, err := lock(directory, func() { t.Error("waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "render", "-f", "../../golden/nodeport_ip/input.yaml", "--readback", "none", "-o", directory)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	for said.Scan() && !strings.Contains(said.Text(), "waiting for another render to end in "+directory) {
	}
	if found := everything(t, directory); said.Err() != nil || len(found) > 0 {
		t.Errorf("written while locked: %v %v", found, said.Err())
	}
	unlock()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if get(t, filepath.Join(directory, "services.yaml")) == "" {
		t.Error("nothing was written afterwards")
	}
}
