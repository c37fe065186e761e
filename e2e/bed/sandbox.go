package bed

import (
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/valkey-expose/valkey-expose/e2e/components"
)

// Everything a run writes lies in these folders: a file system in memory that
// only the processes of the run see.
const (
	runDir  = "/run/bed"
	tempDir = "/run/tmp"
)

// parts are the components that the outer process found.
var parts components.Set

// enter makes the fresh namespaces usable: a /proc of their own, and memory in
// place of /run.
func enter(encoded string) error {
	if err := json.Unmarshal([]byte(encoded), &parts); err != nil {
		return fmt.Errorf("reading %s: %w", insideVariable, err)
	}
	// Without this, mounts made here would spread to the machine.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if err := unix.Mount("bed", "/run", "tmpfs", 0, "mode=0755"); err != nil {
		return fmt.Errorf("mounting /run: %w", err)
	}
	for _, dir := range []string{runDir, tempDir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return unix.Sethostname([]byte(nodeName))
}
