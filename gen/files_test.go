package gen

import (
	"slices"
	"testing"

	"github.com/valkey-expose/valkey-expose/gen/inject"
)

// TestFilesOfEveryWay: what a way renders has its place in the order of applying,
// and is found where an object of the input may have gone. A Component has none.
func TestFilesOfEveryWay(t *testing.T) {
	all := Files()
	for i, name := range all {
		if slices.Index(all, name) != i {
			t.Errorf("%s is listed twice", name)
		}
	}
	for _, way := range inject.Ways() {
		if way.File == "" {
			continue
		}
		at := slices.Index(all, way.File)
		objects := slices.Contains(objectFiles(), way.File)
		switch {
		case at < 0 || objects != (way.Objects != nil):
			t.Errorf("--inject %s: %s is not listed as what it is", way.Name, way.File)
		case objects && at > slices.Index(all, clusterFile):
			t.Errorf("--inject %s: %s is applied after the ValkeyCluster", way.Name, way.File)
		}
	}
	const secret = Header + "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"
	for _, name := range objectFiles() {
		gone, err := lost([]File{{firstFile, []byte(secret)}}, []File{{firstFile, []byte(Header)}, {name, []byte(secret)}})
		if name != firstFile && (err != nil || len(gone) > 0) {
			t.Errorf("what went into %s is lost: %v, %v", name, gone, err)
		}
	}
}
