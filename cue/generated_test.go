package rules

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated holds the files of ../schema that are generated from the module
// to it. UPDATE=1 writes them anew.
func TestGenerated(t *testing.T) {
	for file, generate := range map[string]func() ([]byte, error){
		"../schema/crd-patch.yaml":             CRDPatch,
		"../schema/externalaccess.schema.json": JSONSchema,
	} {
		want, err := generate()
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(have), string(want)); diff != "" {
			t.Errorf("%s is out of date (UPDATE=1 writes it; -have +want):\n%s", file, diff)
		}
	}
}
