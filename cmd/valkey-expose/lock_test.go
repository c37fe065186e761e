//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/directory"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/filetest"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// TestSecondRenderWaits: while one render is in a directory, another says that it
// waits, and goes on when the first has ended.
func TestSecondRenderWaits(t *testing.T) {
	folder := t.TempDir()
	unlock, err := directory.Lock(folder, func() { t.Error("waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(report.Program, "render", "-f", "../../golden/nodeport_ip/input.yaml", "--readback", "none", "-o", folder)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	for said.Scan() && !strings.Contains(said.Text(), "waiting for another render to end in "+folder) {
	}
	if found := filetest.All(t, folder); said.Err() != nil || len(found) > 0 {
		t.Errorf("written while locked: %v %v", found, said.Err())
	}
	unlock()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if filetest.Get(t, filepath.Join(folder, "services.yaml")) == "" {
		t.Error("nothing was written afterwards")
	}
}
