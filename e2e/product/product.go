// Package product runs the programs of this repository as a user would.
package product

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// ReadbackImage is the image name that rendered Jobs get.
const ReadbackImage = "readback.example.com/valkey-readback:test"

// Root is the product's module, found upwards from a test's working directory.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "cmd", "valkey-expose")); err == nil {
			return dir
		}
	}
	t.Fatal("no cmd/valkey-expose above the working directory")
	return ""
}

var built sync.Map // program name to its build, a func() (string, error)

// Program builds one of the programs under cmd, once a run, and returns its path.
func Program(t testing.TB, name string) string {
	t.Helper()
	root := Root(t)
	build, _ := built.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		path := filepath.Join(os.TempDir(), name)
		cmd := exec.Command("go", "build", "-o", path, "./cmd/"+name)
		cmd.Dir = root
		// The image of a container has no libc to link to.
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
		return path, nil
	}))
	path, err := build.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Render runs valkey-expose render on a ValkeyCluster and returns the stream, or
// nothing if the flags say where to write.
func Render(t testing.TB, cluster string, flags ...string) string {
	t.Helper()
	args := append([]string{"render", "-f", "-", "--readback-image", ReadbackImage}, flags...)
	if strings.Contains(strings.Join(flags, " "), "--readback none") {
		args = append([]string{"render", "-f", "-"}, flags...)
	}
	cmd := exec.CommandContext(t.Context(), Program(t, "valkey-expose"), args...)
	cmd.Stdin = strings.NewReader(cluster)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("valkey-expose %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return stdout.String()
}
