package valkeyexpose

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestHostedWorkflow: what a code host runs is .ci/run and nothing else, with the Go
// version of go.mod.
func TestHostedWorkflow(t *testing.T) {
	text, err := os.ReadFile(".github/workflows/ci.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Container struct{ Image string }
			Steps     []struct{ Run string }
		}
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(gomod))[1]
	runs := ""
	for name, job := range workflow.Jobs {
		if !strings.HasPrefix(job.Container.Image, "golang:"+goVersion+"-") {
			t.Errorf("job %s runs in %s, go.mod wants Go %s", name, job.Container.Image, goVersion)
		}
		for _, step := range job.Steps {
			runs += step.Run
		}
	}
	if runs != ".ci/run" {
		t.Errorf("the workflow runs %q", runs)
	}
	if info, err := os.Stat(".ci/run"); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf(".ci/run cannot be run: %v", err)
	}
}
