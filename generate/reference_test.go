package main

import (
	"strings"
	"testing"
)

func TestReference(t *testing.T) {
	const fields = `#ExternalAccess: {
	// One
	// <sentence>.
	a!: int
	// Another.
	b?: {
		// "x" | "y".
		c?: string
	}
}`
	const place = "before\n" + fieldsBegin + "old" + fieldsEnd + "after\n"
	got, err := moduleOf(t, fields).reference([]byte(place))
	const want = "before\n" + fieldsBegin + "\n| field | meaning |\n|---|---|\n" +
		"| `externalAccess.a` | Required. One &lt;sentence&gt;. |\n" +
		"| `externalAccess.b` | Another. |\n" +
		"| `externalAccess.b.c` | \"x\" \\| \"y\". |\n\n" + fieldsEnd + "after\n"
	if string(got) != want || err != nil {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	for want, test := range map[string]struct{ rules, text string }{
		"externalAccess.b.c has no sentence": {strings.Replace(fields, `// "x" | "y".`, "", 1), place},
		"no place for the fields":            {fields, "before\n" + fieldsBegin},
	} {
		if _, err := moduleOf(t, test.rules).reference([]byte(test.text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
