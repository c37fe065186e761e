package main

import "testing"

// However a Secret is written, its file is not shown.
func TestHoldsSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: Secret":                                   true,
		"kind: &k Secret":                                true,
		"kind: !!str Secret":                             true,
		`kind: "Se\x63ret"`:                              true,
		"{\"kind\": \"SecretList\"}":                     true,
		"kind: List\nitems: [{kind: Secret}]":            true,
		"a: &s Secret\nkind: *s":                         true,
		"kind: ConfigMap\n---\nkind: 'Secret'":           true,
		"kind: [":                                        true,
		"kind: ConfigMap\nmetadata: {name: kind-Secret}": false,
		"": false,
	} {
		if got := holdsSecret([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
