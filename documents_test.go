package valkeyexpose

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLinks: what a document links to within the repository is there, heading
// included.
func TestLinks(t *testing.T) {
	links, documents := 0, everyDocument(t)
	for _, document := range documents {
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(readDocument(t, document), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			path, heading, _ := strings.Cut(m[1], "#")
			target := document
			if path != "" {
				target = filepath.Join(filepath.Dir(document), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", document, m[1], err)
			} else if heading != "" && !slices.Contains(headings(readDocument(t, target)), heading) {
				t.Errorf("%s links to %s, and %s has no such heading", document, m[1], target)
			}
		}
	}
	if links < 20 {
		t.Errorf("%d links in %s", links, documents)
	}
}

// headings are the names by which a code host links to headings.
func headings(text string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(plain, " ", "-"))
	}
	return names
}

// TestDocumentsNameFilesThatExist: source that a document names is there, under its
// whole path: one of that name in another folder is another file.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	named := map[string]int{}
	for _, document := range everyDocument(t) {
		for _, m := range regexp.MustCompile("`([\\w./-]+\\.(?:go|cue))`").FindAllStringSubmatch(readDocument(t, document), -1) {
			named[document]++
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s: %v", document, err)
			}
		}
	}
	if named["docs/design.md"] < 20 || named["CONTRIBUTING.md"] < 10 {
		t.Errorf("files named: %v", named)
	}
}

// TestContributingNamesPlacesThatExist: the table of what is where follows what is
// moved.
func TestContributingNamesPlacesThatExist(t *testing.T) {
	_, table, found := strings.Cut(readDocument(t, "CONTRIBUTING.md"), "## Where to change what\n")
	table, _, closed := strings.Cut(table, "\n## ")
	if !found || !closed {
		t.Fatal("there is no table of what is where")
	}
	places := regexp.MustCompile("`([a-z0-9_./-]+)`").FindAllStringSubmatch(table, -1)
	for _, place := range places {
		if _, err := os.Stat(place[1]); err != nil {
			t.Error(err)
		}
	}
	if len(places) < 15 {
		t.Errorf("%d places", len(places))
	}
}

func everyDocument(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
