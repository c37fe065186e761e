package main

import (
	"strings"
	"testing"
)

// TestTextsHaveIntegersAlone: to CEL each value in a text is an integer. Any other
// stops the program, with its place: the API server would say that the rule's
// message failed, and not what is wrong.
func TestTextsHaveIntegersAlone(t *testing.T) {
	const view = `
#View: {
	_view: {
		shards: *(spec.shards & int & >=1) | 1 @cel(spec.shards)
		access: served: *(spec.served & int) | 0 @cel(spec.served)
		served: list.Max([shards, access.served]) @cel(spec.served)
		nodes: served * (len("a") + 1) @cel(spec.nodes)
		part: *(spec.part & number) | 0.5 @cel(spec.part)
		parts: list.Max([shards, part]) @cel(spec.parts)
		name: *(metadata.name & string) | "" @cel(metadata.name)
		if a {branch: 1 @cel(spec.branch)}
		if !a {branch: "b"}
	}
}`
	for value, integer := range map[string]bool{
		"_view.shards": true, "_view.nodes-1": true, "2*(_view.served+_view.access.served)": true,
		"_view.name": false, "_view.part": false, "_view.parts": false, "_view.branch": false, "_view.shards/2": false, "k": false, `"a"`: false, "1.5": false,
	} {
		m := moduleOf(t, `#ValkeyCluster: {_problem: {if a {@cel(b), "spec.a": error("has \(`+value+`) of them")}}}`+view)
		rules, err := m.celRules()
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.validation(rules[0])
		switch {
		case integer && err != nil:
			t.Errorf("%s: %v", value, err)
		case integer && !strings.HasPrefix(got["messageExpression"].(string), "'has %d of them'.format(["):
			t.Errorf("%s: got %v", value, got)
		case !integer && (err == nil || !strings.Contains(err.Error(), "a.cue:1:67: the text has a value that is not known to be an integer")):
			t.Errorf("%s: got %v, %v", value, got, err)
		}
	}
}
