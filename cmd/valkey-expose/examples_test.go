package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/filetest"
)

// TestPreCommitHook runs the hook as pre-commit does: the entry's words, then the
// files.
func TestPreCommitHook(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry string }
	if err := yaml.Unmarshal(text, &hooks); err != nil || len(hooks) != 1 {
		t.Fatalf("%d hooks: %v", len(hooks), err)
	}
	if used, err := os.ReadFile("../../examples/pre-commit/.pre-commit-config.yaml"); err != nil || !strings.Contains(string(used), "id: "+hooks[0].ID+"\n") {
		t.Errorf("the example does not use hook %s: %v", hooks[0].ID, err)
	}
	bad := filepath.Join(t.TempDir(), "a file.yaml")
	filetest.Put(t, bad, "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: orders}\nspec: {shards: 1, externalAccess: {enabled: 1}}\n")
	for _, files := range [][]string{{"../../examples/cluster.yaml"}, {"../../examples/cluster.yaml", bad}} {
		out, err := exec.Command("sh", append([]string{"-c", hooks[0].Entry + ` "$@"`, "sh"}, files...)...).CombinedOutput()
		if wrong := len(files) == 2; wrong != (err != nil) || wrong != strings.Contains(string(out), bad+":4:") {
			t.Errorf("%v: %v\n%s", files, err, out)
		}
	}
}
