package printers

import "testing"

// However a Secret is written, its file is not shown; nor is one that may hold one.
func TestWithheld(t *testing.T) {
	for text, want := range map[string]string{
		"kind: Secret":                                   "it holds a Secret",
		"kind: &k Secret":                                "it holds a Secret",
		"kind: !!str Secret":                             "it holds a Secret",
		`kind: "Se\x63ret"`:                              "it holds a Secret",
		"{\"kind\": \"SecretList\"}":                     "it holds a Secret",
		"kind: List\nitems: [{kind: Secret}]":            "it holds a Secret",
		"a: &s Secret\nkind: *s":                         "it holds a Secret",
		"kind: ConfigMap\n---\nkind: 'Secret'":           "it holds a Secret",
		"kind: [":                                        "it cannot be read, and may hold a Secret",
		"kind: ConfigMap\nmetadata: {name: kind-Secret}": "",
		"": "",
	} {
		if got := withheld([]byte(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
