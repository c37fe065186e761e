// Package rules checks ValkeyClusters against the CUE module beside it, and
// reads of them what the generator needs.
//
// It decides on the caller's behalf which documents are left alone, as no
// ValkeyCluster or one without external access, and where in the user's file a
// broken rule is reported. The rules themselves are in CUE; package stream reads
// the documents.
package rules

import (
	"embed"
	"fmt"
	"io/fs"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/parser"
)

//go:embed *.cue
var module embed.FS

// Rules is the compiled CUE module. It serves one goroutine at a time, as does
// the CUE context within it.
type Rules struct {
	context    *cue.Context
	shape      cue.Value // #Shape
	definition cue.Value // #ValkeyCluster
	access     cue.Value // #ExternalAccess
	warnings   cue.Value // #Warnings
}

// New compiles the module.
func New() (*Rules, error) {
	instance := build.NewContext().NewInstance("", nil)
	files, err := sources()
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	for _, file := range files {
		if err := instance.AddSyntax(file); err != nil {
			return nil, fmt.Errorf("reading the rules: %w", err)
		}
	}
	if err := instance.Complete(); err != nil {
		return nil, fmt.Errorf("compiling the rules: %w", err)
	}
	context := cuecontext.New()
	value := context.BuildInstance(instance)
	if err := value.Err(); err != nil {
		return nil, fmt.Errorf("compiling the rules: %w", err)
	}
	return &Rules{
		context:    context,
		shape:      value.LookupPath(cue.ParsePath("#Shape")),
		definition: value.LookupPath(cue.ParsePath("#ValkeyCluster")),
		access:     value.LookupPath(cue.ParsePath("#ExternalAccess")),
		warnings:   value.LookupPath(cue.ParsePath("#Warnings")),
	}, nil
}

// sources parses the module's files.
func sources() ([]*ast.File, error) {
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
		file, err := parser.ParseFile(name, source)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
