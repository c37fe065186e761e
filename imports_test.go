// Package valkeyexpose has no code: this folder holds the modules' packages.
package valkeyexpose

import (
	"go/parser"
	"go/token"
	"io/fs"
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
	"cmd/valkey-expose": {module + "cue", module + "gen", module + "schema", "github.com/spf13/cobra"},
	"golden":            {},
	".":                 {},
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
		if d.IsDir() && (d.Name() == "e2e" || d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir // e2e is a module of its own
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
