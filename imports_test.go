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

const (
	module  = "github.com/valkey-expose/valkey-expose/"
	command = "cmd/valkey-expose/internal/"
)

// allowed lists what each folder may import beside the standard library: of this
// module exactly these packages, or what is below one that ends in a slash; of
// others also what is below. The arrows only point this way: schema knows nobody,
// yamledit and manifest know none of us, gen and cue do not know each other, cmd
// puts them together. Inside gen they point to plan.
var allowed = map[string][]string{
	"schema":   {},
	"yamledit": {"go.yaml.in/yaml/v3"},
	"manifest": {"k8s.io/apimachinery", "go.yaml.in/yaml/v3"},
	"stream":   {module + "schema", module + "yamledit", "go.yaml.in/yaml/v3"},
	"cue":      {module + "schema", module + "stream", module + "yamledit", "cuelang.org/go", "go.yaml.in/yaml/v3"},

	"gen/plan":          {module + "schema"},
	"gen/transition":    {module + "schema"},
	"gen/podpatch":      {module + "schema", module + "yamledit", "k8s.io/api", "k8s.io/apimachinery", "go.yaml.in/yaml/v3"},
	"gen/valkeycluster": {module + "gen/plan", module + "schema", module + "yamledit"},
	"gen/metadata":      {module + "gen/plan", module + "schema", "k8s.io/apimachinery"},
	"gen/objects": {
		module + "gen/metadata", module + "gen/plan", module + "gen/podpatch", module + "schema",
		"k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/gateway-api",
	},
	"gen/inject": {
		module + "gen/metadata", module + "gen/plan", module + "manifest", module + "schema", "k8s.io/api", "k8s.io/apimachinery",
	},
	"gen": {
		module + "gen/inject", module + "gen/objects", module + "gen/plan", module + "gen/podpatch", module + "gen/transition",
		module + "gen/valkeycluster", module + "manifest", module + "schema", module + "stream",
		"k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/yaml", "go.yaml.in/yaml/v3",
	},

	"readback": {
		module + "schema", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "github.com/valkey-io/valkey-go",
	},
	"cmd/valkey-readback": {
		module + "readback", module + "schema", "k8s.io/client-go", "k8s.io/klog/v2", "github.com/spf13/pflag",
	},

	"cmd/valkey-expose": {
		module + command, module + "cue", module + "gen", module + "gen/plan", module + "gen/transition", module + "schema",
		"go.yaml.in/yaml/v3", "github.com/spf13/cobra",
	},
	command + "records":      {module + "gen/plan", module + "schema"},
	command + "exit":         {},
	command + "filetest":     {},
	command + "report":       {module + "schema"},
	command + "resourcelist": {module + command + "report", module + "manifest", module + "schema", module + "stream", "go.yaml.in/yaml/v3"},
	command + "directory":    {module + command + "report", module + "gen", module + "gen/transition"},
	command + "printers": {
		module + command + "directory", module + command + "records", module + command + "report", module + "gen/plan", module + "gen/transition",
		module + "manifest", module + "schema",
		"go.yaml.in/yaml/v3", "github.com/rogpeppe/go-internal",
	},
	command + "flags": {
		module + command + "exit", module + command + "records", module + command + "report", module + "cue", module + "gen", module + "gen/inject", module + "schema",
		"github.com/spf13/cobra", "github.com/distribution/reference", "github.com/robfig/cron/v3",
	},
	"bench":    {},
	"generate": {"cuelang.org/go", "go.yaml.in/yaml/v3"},
	"golden":   {},
	".":        {},
}

// inTests is what tests may import on top.
var inTests = []string{
	module, "github.com/google/go-cmp", "github.com/miekg/dns", "github.com/rogpeppe/go-internal",
	"k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/gateway-api", "sigs.k8s.io/yaml",
	"cuelang.org/go",
}

// covers reports whether leave to import one thing is leave to import a package.
func covers(permitted, name string) bool {
	if name == permitted {
		return true
	}
	if strings.HasPrefix(permitted, module) && !strings.HasSuffix(permitted, "/") {
		return false
	}
	return strings.HasPrefix(name, strings.TrimSuffix(permitted, "/")+"/")
}

// TestImports: no folder imports more than it may, and none may import what it does
// not.
func TestImports(t *testing.T) {
	files := 0
	used := map[string][]string{} // of what a folder may import
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
		isTest := strings.HasSuffix(path, "_test.go")
		if isTest {
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
			if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
				continue // of the standard library
			}
			at := slices.IndexFunc(permitted, func(p string) bool { return covers(p, name) })
			switch {
			case at < 0:
				t.Errorf("%s imports %s", path, name)
			case !isTest:
				used[folder] = append(used[folder], permitted[at])
			}
		}
		return nil
	})
	for folder, permitted := range allowed {
		for _, p := range permitted {
			if !slices.Contains(used[folder], p) {
				t.Errorf("%s may import %s, and does not", folder, p)
			}
		}
	}
	if err != nil || files < 20 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// The read-back program's image is small: neither the rules nor the command
// line's libraries are in it, by whatever way. The other starts soon: it has no
// packages that CUE offers and the rules do not use.
func TestProgramsAreSmall(t *testing.T) {
	for program, test := range map[string]struct {
		has      string
		unwanted []string
	}{
		"valkey-readback": {module + "readback", []string{"cuelang.org/go", "github.com/spf13/cobra", module + "cue", module + "gen", "k8s.io/client-go/kubernetes"}},
		"valkey-expose":   {module + "cue", []string{"cuelang.org/go/cue/cuecontext", "google.golang.org/protobuf", "k8s.io/client-go", module + "readback"}},
	} {
		out, err := exec.Command("go", "list", "-deps", "./cmd/"+program).Output()
		if err != nil {
			t.Fatal(err)
		}
		deps := strings.Fields(string(out))
		if !slices.Contains(deps, test.has) {
			t.Fatalf("%s: %d dependencies, and no %s", program, len(deps), test.has)
		}
		for _, dep := range deps {
			for _, unwanted := range test.unwanted {
				if dep == unwanted || strings.HasPrefix(dep, unwanted+"/") {
					t.Errorf("cmd/%s depends on %s", program, dep)
				}
			}
		}
	}
}
