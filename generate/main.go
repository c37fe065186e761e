// Command generate writes what follows from the text of the rules: the patch of
// the operator's CRD, the JSON Schema for editors and the reference's table of
// fields. It runs in the repository's root: go run ./generate.
//
// A field or a rule is written once, in cue/*.cue; a table here says what becomes
// of each kind of them. What no table can say stops the program.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// artefact is a file that is generated, whole or in part.
type artefact struct {
	path  string // from the repository's root
	write func(m module, have []byte) ([]byte, error)
}

var artefacts = []artefact{
	{"schema/crd-patch.yaml", module.crdPatch},
	{"schema/externalaccess.schema.json", module.jsonSchema},
	{"docs/reference.md", module.reference},
}

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate: error:", err)
		os.Exit(1)
	}
}

// run writes the artefacts that are out of date.
func run(root string) error {
	m, err := readModule(os.DirFS(filepath.Join(root, "cue")))
	if err != nil {
		return fmt.Errorf("reading the rules: %w", err)
	}
	for _, a := range artefacts {
		path := filepath.Join(root, filepath.FromSlash(a.path))
		have, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		want, err := a.write(m, have)
		if err != nil {
			return fmt.Errorf("writing %s: %w", a.path, err)
		}
		if bytes.Equal(have, want) {
			continue
		}
		if err := os.WriteFile(path, want, 0o666); err != nil {
			return err
		}
	}
	return nil
}
