package gen

import (
	"slices"

	"github.com/valkey-expose/valkey-expose/gen/transition"
)

// Compare works out the transition from the files that a directory holds to those
// that are rendered.
func (b Base) Compare(have []File) (transition.Transition, error) {
	last, err := readPlan(have)
	if err != nil {
		return transition.Transition{}, err
	}
	gone, err := lost(have, b.Files)
	if err != nil {
		return transition.Transition{}, err
	}
	t := transition.Compare(last, b.Plan)
	if len(gone) > 0 {
		t.Refusals = slices.Insert(t.Refusals, 0, transition.TakesAway(gone))
	}
	return t, nil
}
