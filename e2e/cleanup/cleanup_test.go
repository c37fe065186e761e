// Package cleanup proves that a run of the testbed leaves nothing behind,
// however it ends.
package cleanup

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKilledRunLeavesNothing kills a run half-way, as an impatient person or a
// pipeline's deadline does, and looks for what it started.
func TestKilledRunLeavesNothing(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"SIGKILL": syscall.SIGKILL, "SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			before := footprint(t)
			program := filepath.Join(t.TempDir(), "run.test")
			build := exec.Command("go", "test", "-c", "-o", program, ".")
			build.Dir = ".."
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			run := exec.Command(program, "-test.run", "TestBedRunsAPlainCluster", "-test.v")
			run.Dir = ".."
			output, err := run.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			// The test has begun, and with it the control plane.
			for lines := bufio.NewScanner(output); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), "=== RUN") {
					break
				}
			}
			waitUntil(t, "a server is up", func() bool { return strings.Contains(footprint(t), "valkey-server") })
			if err := run.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			// Wait ends when the last process that holds the output has gone.
			if err := run.Wait(); err == nil {
				t.Error("the run passed before it was stopped")
			}
			waitUntil(t, "all is as before", func() bool { return footprint(t) == before })
		})
	}
}

// footprint lists what a run may leave on the machine: its processes, named
// network namespaces, interfaces, mounts, nftables rules and temporary files.
func footprint(t *testing.T) string {
	t.Helper()
	var all bytes.Buffer
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range processes {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // gone meanwhile
		}
		for _, name := range []string{"kube-apiserver", "kube-controller-manager", "kube-proxy", "etcd", "valkey-server", "run.test"} {
			if bytes.Contains(text, []byte(name)) {
				all.WriteString(name + " is running\n")
			}
		}
	}
	for _, pattern := range []string{"/var/run/netns/*", "/sys/class/net/*", "/run/valkey-expose*", filepath.Join(os.TempDir(), "valkey-expose*")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(strings.Join(found, "\n") + "\n")
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	all.Write(mounts)
	return all.String()
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("waiting until %s:\n%s", what, footprint(t))
		}
		time.Sleep(50 * time.Millisecond) // no kernel event tells it all
	}
}
