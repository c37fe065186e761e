package rules

import (
	"embed"
	"io/fs"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
)

//go:embed *.cue
var module embed.FS

// moduleFiles parses the module, less its comments.
func moduleFiles() ([]*ast.File, error) {
	names, err := fs.Glob(module, "*.cue")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		source, err := module.ReadFile(name)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(name, source)
		if err != nil {
			return nil, err
		}
		files = append(files, parsed)
	}
	return files, nil
}
