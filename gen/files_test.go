package gen

import (
	"slices"
	"testing"

	"github.com/valkey-expose/valkey-expose/gen/inject"
)

// TestFilesOfEveryWay: what a way renders has its place in the order of applying.
func TestFilesOfEveryWay(t *testing.T) {
	for _, way := range inject.Ways() {
		if way.File != "" && !slices.Contains(Files(), way.File) {
			t.Errorf("%s of --inject %s is not among the files", way.File, way.Name)
		}
	}
}
