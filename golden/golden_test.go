// Package golden holds inputs and what is rendered from them. Each folder is a
// case: input.yaml, options.json where it differs from the defaults, and
// output.yaml. UPDATE=1 writes the outputs anew.
package golden

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	rules "github.com/valkey-expose/valkey-expose/cue"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

const image = "registry.example.com/valkey-readback:v0.1.0"

func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("*/input.yaml")
	if err != nil || len(inputs) < 14 {
		t.Fatalf("%d cases: %v", len(inputs), err)
	}
	for _, input := range inputs {
		folder := filepath.Dir(input)
		t.Run(folder, func(t *testing.T) {
			source := read(t, input)
			options := optionsOf(t, folder)
			documents := check(t, source)
			got, err := gen.New(documents, options).Stream()
			if err != nil {
				t.Fatal(err)
			}
			output := filepath.Join(folder, "output.yaml")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(output, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(read(t, output)), string(got)); diff != "" {
				t.Errorf("output.yaml differs (-want +got):\n%s", diff)
			}
			decodeAll(t, got, options.KeepBlock)

			if options.KeepBlock {
				return // it would be rendered once more
			}
			// What was rendered has no block any more, so it passes through.
			again, err := gen.New(check(t, got), options).Stream()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(got), string(again)); diff != "" {
				t.Errorf("rendering the output changes it:\n%s", diff)
			}
		})
	}
}

// TestAbsent proves that a cluster without the block is not touched at all.
func TestAbsent(t *testing.T) {
	if input, output := read(t, "absent/input.yaml"), read(t, "absent/output.yaml"); string(input) != string(output) {
		t.Errorf("output differs from input:\n%s", cmp.Diff(string(input), string(output)))
	}
}

// optionsOf are the defaults with a case's options.json over them.
func optionsOf(t *testing.T, folder string) gen.Options {
	t.Helper()
	options := gen.Defaults()
	options.ReadbackImage = image
	text, err := os.ReadFile(filepath.Join(folder, "options.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return options
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &options); err != nil {
		t.Fatal(err)
	}
	return options
}

// check reads a stream that has no problem but warnings.
func check(t *testing.T, source []byte) []schema.Document {
	t.Helper()
	checker, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	documents, problems := checker.Check("input.yaml", source)
	for _, p := range problems {
		if !p.Warning {
			t.Fatal(p)
		}
	}
	return documents
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
