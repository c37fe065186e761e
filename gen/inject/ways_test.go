package inject

import (
	"regexp"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestEveryWayIsWhole: what one line of the table says must fit together.
func TestEveryWayIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, way := range Ways() {
		if seen[way.Name] || !regexp.MustCompile(`^[a-z]+$`).MatchString(way.Name) {
			t.Errorf("%q is no name, or that of two ways", way.Name)
		}
		seen[way.Name] = true
		if Named(way.Name).Name != way.Name {
			t.Errorf("%s is not found by its name", way.Name)
		}
		renders := way.Objects != nil || way.Component != nil
		if renders != (way.File != "") || way.Objects != nil && way.Component != nil {
			t.Errorf("%s: something is rendered into one file, or nothing into none", way.Name)
		}
		if way.Marker && (!renders || way.Unmanaged) {
			t.Errorf("%s: the operator rolls the pods that it makes, for what is rendered", way.Name)
		}
		if p := (schema.Plan{Inject: way.Name}); p.Evicts() && !way.Marker {
			t.Errorf("%s: pods are evicted that have no marker by which they are found", way.Name)
		}
	}
	if first := Ways()[0].Name; first != schema.InjectAdmission {
		t.Errorf("the default is %s", first)
	}
	if way := Named("other"); way.Name != schema.InjectNone || way.Objects != nil {
		t.Errorf("a way that there is not is %+v", way)
	}
}
