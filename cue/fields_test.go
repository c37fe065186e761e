package rules

import (
	"strings"
	"testing"
)

// TestFieldsAreDocumented: every field has a sentence, and none is lost.
func TestFieldsAreDocumented(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	fields := r.Fields()
	if len(fields) < 13 {
		t.Errorf("%d fields: %v", len(fields), fields)
	}
	for _, f := range fields {
		if !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s has no sentence: %q", f.Path, f.Doc)
		}
	}
}
