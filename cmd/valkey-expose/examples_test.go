package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/filetest"
	"github.com/valkey-expose/valkey-expose/schema"
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

// TestKubectlExampleWaitsAsLongAsTheJob: a roll takes longer the more nodes there are.
func TestKubectlExampleWaitsAsLongAsTheJob(t *testing.T) {
	folder := t.TempDir()
	filetest.Put(t, filepath.Join(folder, "cluster.yaml"), "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: orders, namespace: shop}\nspec: {shards: 20, replicas: 1, externalAccess: {enabled: true}}\n")
	deploy := filepath.Join(folder, "deploy")
	if code, _, stderr := program(nil, "render", "-f", filepath.Join(folder, "cluster.yaml"), "--readback", "cronjob", "--readback-image", "i", "-o", deploy); code != 0 {
		t.Fatalf("%s", stderr)
	}
	filetest.Put(t, filepath.Join(folder, "kubectl"), "#!/bin/sh\necho \"$@\"\n")
	if err := os.Chmod(filepath.Join(folder, "kubectl"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "../../examples/kubectl/apply.sh", deploy)
	cmd.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	deadline := (schema.ReadbackTimeout(40) + time.Minute).Seconds()
	if want := fmt.Sprintf("wait job --for=condition=Complete --timeout=%.0fs ", deadline); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, no %q in:\n%s", err, want, out)
	}
}
