// Package valkeyexpose has no code: this folder holds the modules' packages.
package valkeyexpose

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/valkey-expose/valkey-expose/"

// allowed lists what each folder may import beside the standard library. The
// arrows only point this way: cue and gen read schema, cmd puts them together.
var allowed = map[string][]string{
	"schema": {"k8s.io/apimachinery"},
	"cue":    {module + "schema", "cuelang.org/go", "go.yaml.in/yaml/v3"},
	"gen": {
		module + "schema", "k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/gateway-api",
		"sigs.k8s.io/yaml", "go.yaml.in/yaml/v3",
	},
	"readback": {
		module + "schema", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "github.com/valkey-io/valkey-go",
	},
	"cmd/valkey-expose": {
		module + "cue", module + "gen", module + "schema", "go.yaml.in/yaml/v3", "github.com/spf13/cobra", "github.com/rogpeppe/go-internal/diff",
		"github.com/distribution/reference", "github.com/robfig/cron/v3",
	},
	"cmd/valkey-readback": {
		module + "readback", module + "schema", "k8s.io/client-go", "k8s.io/klog/v2", "github.com/spf13/pflag",
	},
	"golden": {},
	".":      {},
}

// inTests is what tests may import on top.
var inTests = []string{
	module, "github.com/google/go-cmp", "github.com/rogpeppe/go-internal",
	"k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/gateway-api", "sigs.k8s.io/yaml",
	"cuelang.org/go",
}

func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "e2e" || d.Name() == "image" || d.Name() == "release" || d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir // e2e, image and release are modules of their own
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		files++
		folder := filepath.ToSlash(filepath.Dir(path))
		permitted, known := allowed[folder]
		if !known {
			t.Errorf("%s: folder %s is not in the table of this test", path, folder)
		}
		if strings.HasSuffix(path, "_test.go") {
			permitted = slices.Concat(permitted, inTests)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			first, _, _ := strings.Cut(name, "/")
			if strings.Contains(first, ".") && !slices.ContainsFunc(permitted, func(prefix string) bool {
				return name == strings.TrimSuffix(prefix, "/") || strings.HasPrefix(name, strings.TrimSuffix(prefix, "/")+"/")
			}) {
				t.Errorf("%s imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// The read-back program's image is small: neither the rules nor the command
// line's libraries are in it, by whatever way.
func TestReadbackIsSmall(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/valkey-readback").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"readback") {
		t.Fatalf("%d dependencies, and no readback", len(deps))
	}
	for _, dep := range deps {
		for _, unwanted := range []string{"cuelang.org/go", "github.com/spf13/cobra", module + "cue", module + "gen", "k8s.io/client-go/kubernetes"} {
			if dep == unwanted || strings.HasPrefix(dep, unwanted+"/") {
				t.Errorf("cmd/valkey-readback depends on %s", dep)
			}
		}
	}
}
