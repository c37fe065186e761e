package valkeyexpose

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// docs/testing.md says of every test on real servers, and of no other, what it proves.
func TestEveryProofIsDocumented(t *testing.T) {
	files, err := filepath.Glob("e2e/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("e2e/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := namesIn(t, regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing`), append(files, more...)...)
	told := namesIn(t, regexp.MustCompile(`\b(Test[A-Z]\w+)`), "docs/testing.md")
	if len(tests) < 40 {
		t.Errorf("only %d tests were found", len(tests))
	}
	for _, name := range tests {
		if !slices.Contains(told, name) {
			t.Errorf("docs/testing.md does not say what %s proves", name)
		}
	}
	for _, name := range told {
		if !slices.Contains(tests, name) {
			t.Errorf("docs/testing.md tells of %s, which there is not", name)
		}
	}
}

// namesIn are the first groups of what matches in files.
func namesIn(t *testing.T, what *regexp.Regexp, files ...string) []string {
	t.Helper()
	var names []string
	for _, file := range files {
		for _, found := range what.FindAllStringSubmatch(readDocument(t, file), -1) {
			names = append(names, found[1])
		}
	}
	return names
}
