package main

import (
	"strings"
	"testing"
)

// TestRulesCannotDoWithoutCEL: nothing is generated from a rule that has neither
// its CEL nor a reason beside it, or whose CEL cannot be put together.
func TestRulesCannotDoWithoutCEL(t *testing.T) {
	for name, test := range map[string]struct{ rule, want string }{
		"nothing beside it":   {`if a {"spec.a": error("no")}`, "neither @cel nor @nocel"},
		"no reason":           {`if a {@nocel(), "spec.a": error("no")}`, "no reason in quotes"},
		"CEL twice":           {`if a {@cel(a), @cel(b), "spec.a": error("no")}`, "one @cel, not 2"},
		"a name without CEL":  {`if a {@cel(_view.a), "spec.a": error("no")}`, "_view.a has no CEL"},
		"a text that is none": {`if a {@cel(x.matches(#unknownText)), "spec.a": error("no")}`, "#unknownText has no CEL"},
		"no condition":        {`"spec.a": error("no")`, "a condition and an error"},
		"no error":            {`if a {@cel(a), "spec.a": 1}`, "ends in error(...)"},
		"two fields":          {`if a {@cel(a), "spec.a": error("no"), "spec.b": error("no")}`, "has one field, not 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := moduleOf(t, "#ValkeyCluster: {_problem: {"+test.rule+"}}\n#View: {_view: {b: 1 @cel(spec.b)}}").celRules()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
