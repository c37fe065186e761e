package rules

import (
	"os/exec"
	"strings"
	"testing"
)

// TestStockToolAgrees runs the cue command over the files of one document: what
// it accepts and rejects is what Check accepts and rejects, and a file with a
// warning is rejected under #Strict.
func TestStockToolAgrees(t *testing.T) {
	cue := stockTool(t)
	vet := func(definition, file string) (accepted bool, output string) {
		out, err := exec.Command(cue, "vet", "-c", "-d", definition, ".", file).CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		return err == nil, string(out)
	}
	for kind, verdicts := range map[string]struct{ cluster, strict bool }{
		"accept": {true, true},
		"warn":   {true, false},
		"reject": {false, false},
	} {
		for _, file := range files(t, "testdata/"+kind+"/*") {
			t.Run(strings.TrimPrefix(file, "testdata/"), func(t *testing.T) {
				t.Parallel()
				if accepted, out := vet("#ValkeyCluster", file); accepted != verdicts.cluster {
					t.Errorf("cue vet -d '#ValkeyCluster': accepted %v\n%s", accepted, out)
				} else if !accepted && strings.Contains(out, "cyclic reference") {
					t.Errorf("rejected for the wrong reason:\n%s", out)
				}
				if kind == "reject" {
					return // what one rejects, the other includes
				}
				if accepted, out := vet("#Strict", file); accepted != verdicts.strict {
					t.Errorf("cue vet -d '#Strict': accepted %v\n%s", accepted, out)
				}
			})
		}
	}
}

// TestStockToolFromOutside runs cue as the README shows it: from the folder
// above the module.
func TestStockToolFromOutside(t *testing.T) {
	vet := exec.Command(stockTool(t), "vet", "-c", "-d", "#ValkeyCluster", "./cue", "examples/cluster.yaml")
	vet.Dir = ".."
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// stockTool is the path of the cue command that go.mod pins, which Go builds once and
// keeps.
func stockTool(t *testing.T) string {
	t.Helper()
	path, err := exec.Command("go", "tool", "-n", "cue").Output()
	if err != nil {
		t.Fatalf("building cue: %v", err)
	}
	return strings.TrimSpace(string(path))
}
