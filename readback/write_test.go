package readback

import (
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What a budget refuses, and what is another object by now, is the caller's to act on.
func TestOnceDoesNotRepeatWhatTheCallerActsOn(t *testing.T) {
	for name, refused := range map[string]error{
		"budget":  apierrors.NewTooManyRequests("the budget", 0),
		"another": apierrors.NewConflict(schema.GroupResource{Resource: "jobs"}, "a", errors.New("another UID")),
	} {
		tries := 0
		err := (&writer{}).once(t.Context(), "evicting", func() error {
			if tries++; tries > 1 {
				return nil
			}
			return refused
		})
		if !errors.Is(err, refused) || tries != 1 {
			t.Errorf("%s: %v after %d tries", name, err, tries)
		}
	}
}
