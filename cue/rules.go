// Package rules checks ValkeyClusters against the CUE module beside it, and
// reads of them what the generator needs.
//
// It decides on the caller's behalf which documents are left alone, as no
// ValkeyCluster or one without external access, and where in the user's file a
// broken rule is reported. The rules themselves are in CUE; package stream reads
// the documents.
package rules

import (
	"fmt"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/token"
)

// Rules is the compiled CUE module. It serves one goroutine at a time, as does
// the CUE context within it.
type Rules struct {
	module  *build.Instance
	builder *build.Context // of what imports the module
	context *cue.Context
	uses    int       // of the context
	access  cue.Value // #ExternalAccess, if it has been asked for
}

// maxUses is how many definitions are evaluated in one context: it keeps all of
// them, and becomes slow with the number.
const maxUses = 20

// modulePath is what the module goes by where it is imported.
const modulePath = "valkey-expose.example/valkeyexpose"

// New compiles the module.
func New() (*Rules, error) {
	r := &Rules{}
	r.builder = build.NewContext(build.Loader(func(_ token.Pos, path string) *build.Instance {
		if path != modulePath {
			return nil // one of CUE's own
		}
		return r.module
	}))
	r.module = r.builder.NewInstance("", nil)
	r.module.ImportPath = modulePath
	var err error
	if r.module.Files, err = moduleFiles(); err != nil { // AddSyntax would resolve each reference once more
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	r.module.PkgName = r.module.Files[0].PackageName()
	return r, r.compile()
}

// compile compiles the module in a new context.
func (r *Rules) compile() error {
	var err error
	if r.context, err = newContext(r.module); err != nil {
		return fmt.Errorf("compiling the rules: %w", err)
	}
	r.uses = 0
	return nil
}

// unify holds data against a definition of the module, such as #Shape. What it
// makes imports the module: of a module that is built by itself, CUE evaluates every
// definition, which would take as long as all else.
func (r *Rules) unify(definition string, data ast.Expr) cue.Value {
	if r.uses++; r.uses > maxUses {
		if err := r.compile(); err != nil {
			panic(err) // it went well the first time
		}
	}
	imported := ast.NewImport(nil, modulePath)
	instance := r.builder.NewInstance("", nil)
	if err := instance.AddSyntax(&ast.File{Decls: []ast.Decl{
		&ast.ImportDecl{Specs: []*ast.ImportSpec{imported}},
		&ast.EmbedDecl{Expr: ast.NewBinExpr(token.AND, ast.NewSel(ast.NewIdent(r.module.PkgName), definition), data)},
	}}); err != nil {
		panic(fmt.Sprintf("importing the rules: %v", err)) // nothing of it is the user's
	}
	return r.context.BuildInstance(instance)
}
