package transition

import (
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestTakingAwayIsSaidPlainly: which objects, and that a database goes.
func TestTakingAwayIsSaidPlainly(t *testing.T) {
	for objects, want := range map[[2]string]string{
		{"", "Secret"}:              "takes away Secret shop/a, which a pipeline that prunes deletes",
		{"", "Namespace"}:           "takes away Namespace shop/a, which a pipeline that prunes deletes, a namespace with all that is in it",
		{schema.Group, schema.Kind}: "takes away ValkeyCluster shop/a, which a pipeline that prunes deletes, the database and its data with it",
	} {
		if got := TakesAway([]Object{{objects[0], objects[1], "shop", "a"}}); got.Reason != want || got.Step == "" {
			t.Errorf("%q", got.Reason)
		}
	}
}
