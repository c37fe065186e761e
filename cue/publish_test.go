package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModuleCanBePublished runs cue mod publish in a clone, as a release does, but
// for the upload.
func TestModuleCanBePublished(t *testing.T) {
	tool, err := exec.Command("go", "tool", "-n", "cue").Output()
	if err != nil {
		t.Fatalf("building cue: %v", err)
	}
	clone := t.TempDir()
	if err := os.CopyFS(filepath.Join(clone, "cue"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	run := func(command string, args ...string) string {
		t.Helper()
		cmd := exec.Command(command, args...)
		cmd.Dir = filepath.Join(clone, "cue")
		cmd.Env = append(os.Environ(), "CUE_REGISTRY=registry.example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", command, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("git", "init", "-q", clone)
	run("git", "add", ".")
	run("git", "-c", "user.name=nobody", "-c", "user.email=nobody@example.com", "commit", "-q", "-m", "all")
	out := run(strings.TrimSpace(string(tool)), "mod", "publish", "--dry-run", "v0.1.0")
	if !strings.HasPrefix(out, "dry-run published github.com/valkey-expose/valkey-expose/cue@v0.1.0 ") {
		t.Error(out)
	}
}
