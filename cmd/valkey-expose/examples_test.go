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

// TestCIExample runs the check of the example for CI, with the stock cue command.
func TestCIExample(t *testing.T) {
	text, err := os.ReadFile("../../examples/ci/github-actions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Env  map[string]string `json:"env"`
		Jobs map[string]struct {
			Steps []struct {
				Name string `json:"name"`
				Run  string `json:"run"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	check := ""
	for _, step := range workflow.Jobs["external-access"].Steps {
		if step.Name == "check" {
			check = step.Run
		}
	}
	if strings.Count(check, "\n") != 3 {
		t.Fatalf("the example checks %q", check)
	}

	folder, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "cuelang.org/go/cmd/cue").CombinedOutput(); err != nil {
		t.Fatalf("building cue: %v\n%s", err, out)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(folder, ".valkey-expose")); err != nil {
		t.Fatal(err)
	}
	sh := func(script string) (string, error) {
		cmd := exec.Command("bash", "-e", "-c", script) // as GitHub runs it
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		for name, value := range workflow.Env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	cluster := filepath.Join(folder, "cluster.yaml")
	declared, err := os.ReadFile("../../examples/cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	filetest.Put(t, cluster, string(declared))
	if out, err := sh(`valkey-expose render -f cluster.yaml --readback-image "$IMAGE" -o deploy`); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := sh(check); err != nil || out != "" {
		t.Errorf("what is rendered does not pass: %v\n%s", err, out)
	}
	for change, says := range map[[2]string]string{
		{"shards: 3", "shards: 4"}: "deploy/services.yaml", // not rendered again
		{"shards: 3", "shards: 0"}: "spec.shards",
	} {
		filetest.Put(t, cluster, strings.Replace(string(declared), change[0], change[1], 1))
		if out, err := sh(check); err == nil || !strings.Contains(out, says) {
			t.Errorf("%s passes: %v\n%s", change[1], err, out)
		}
	}
}

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
