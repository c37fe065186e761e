package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/filetest"
)

// ciExample is the job of the example for CI, and where it runs.
type ciExample struct {
	env   []string
	steps map[string]string // what each runs, by its name
	path  string            // of a folder with programs that the machine may lack
	at    string            // of the folder it runs in
}

func readCIExample(t *testing.T) *ciExample {
	t.Helper()
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
	e := &ciExample{steps: map[string]string{}, path: t.TempDir(), at: t.TempDir()}
	for name, value := range workflow.Env {
		e.env = append(e.env, name+"="+value)
	}
	for _, step := range workflow.Jobs["external-access"].Steps {
		e.steps[step.Name] = step.Run
	}
	return e
}

// sh runs a step as GitHub does.
func (e *ciExample) sh(script string, env ...string) (string, error) {
	cmd := exec.Command("bash", "-e", "-c", script)
	cmd.Dir = e.at
	cmd.Env = append(append(append(os.Environ(), "PATH="+e.path+":"+os.Getenv("PATH")), e.env...), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs what the test needs.
func (e *ciExample) must(t *testing.T, script string) {
	t.Helper()
	if out, err := e.sh(script); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// TestCIExampleChecks runs the check of the example for CI, with the stock cue command.
func TestCIExampleChecks(t *testing.T) {
	e := readCIExample(t)
	check := e.steps["check"]
	if strings.Count(check, "\n") != 3 {
		t.Fatalf("the example checks %q", check)
	}
	cue, err := exec.Command("go", "tool", "-n", "cue").Output() // Go builds it once and keeps it
	if err != nil {
		t.Fatalf("building cue: %v", err)
	}
	if err := os.Symlink(strings.TrimSpace(string(cue)), filepath.Join(e.path, "cue")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(e.at, ".valkey-expose")); err != nil {
		t.Fatal(err)
	}
	cluster := filepath.Join(e.at, "cluster.yaml")
	declared := filetest.Get(t, "../../examples/cluster.yaml")
	filetest.Put(t, cluster, declared)
	e.must(t, `valkey-expose render -f cluster.yaml --readback-image "$IMAGE" -o deploy`)
	if out, err := e.sh(check); err != nil || out != "" {
		t.Errorf("what is rendered does not pass: %v\n%s", err, out)
	}
	for change, says := range map[[2]string]string{
		{"shards: 3", "shards: 4"}: "deploy/services.yaml", // not rendered again
		{"shards: 3", "shards: 0"}: "spec.shards",
	} {
		filetest.Put(t, cluster, strings.Replace(declared, change[0], change[1], 1))
		if out, err := e.sh(check); err == nil || !strings.Contains(out, says) {
			t.Errorf("%s passes: %v\n%s", change[1], err, out)
		}
	}
}

// TestCIExampleComments runs the steps that describe a change and post it, in a
// shallow clone of a repository as GitHub makes it: the change is that from the
// branch to be merged into, whose render the pull request has replaced.
func TestCIExampleComments(t *testing.T) {
	e := readCIExample(t)
	filetest.Put(t, filepath.Join(e.at, "cluster.yaml"), filetest.Get(t, "../../examples/cluster.yaml"))
	e.must(t, `
		export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
		render() { valkey-expose render -f cluster.yaml --readback-image "$IMAGE" -o deploy "$@"; git add cluster.yaml deploy; git commit -qm render; }
		git init -qb main
		render
		git checkout -qb change
		sed -i 's/shards: 3/shards: 2/' cluster.yaml
		render --force
		git clone -q --depth 1 --branch change "file://$PWD" clone
		printf '#!/bin/sh\necho "$@" >gh-arguments\n' >"${PATH%%:*}/gh"
		chmod +x "${PATH%%:*}/gh"`)
	e.at = filepath.Join(e.at, "clone")
	summary := filepath.Join(t.TempDir(), "summary.md")
	if out, err := e.sh(e.steps["describe"], "GITHUB_BASE_REF=main", "GITHUB_STEP_SUMMARY="+summary); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := e.sh(e.steps["comment"], "PULL_REQUEST=7"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	comment := filetest.Get(t, filepath.Join(e.at, "comment.md"))
	_, picture, stderr := program(nil, "endpoints", "-f", filepath.Join(e.at, "cluster.yaml"), "--format", "mermaid")
	for _, want := range []string{
		"### External access of ValkeyCluster shop/orders: what changes\n\n**Refused without `--force`:**\n\n- takes away Services of shards",
		"| removed | orders-2-0 |",
		"\n\n### Endpoints of ValkeyCluster shop/orders\n\n",
		fmt.Sprintf("\n\n```mermaid\n%s```\n", picture),
	} {
		if !strings.Contains(comment, want) {
			t.Errorf("no %q in the comment: %s\n%s", want, stderr, comment)
		}
	}
	if posted := filetest.Get(t, filepath.Join(e.at, "gh-arguments")); !strings.HasPrefix(posted, "pr comment 7 --body-file comment.md ") {
		t.Errorf("posted by gh %s", posted)
	}
	if filetest.Get(t, summary) != comment {
		t.Error("the summary is not the comment")
	}
}
