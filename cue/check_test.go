package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// wanted is what the last lines of a file in testdata say about it.
const wanted = "# want: "

// TestFiles holds every file of testdata to the problems it names itself: none
// in accept, warnings in warn, errors in reject and tool. UPDATE=1 rewrites them.
func TestFiles(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files(t, "testdata/*/*") {
		t.Run(strings.TrimPrefix(file, "testdata/"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, want := source, ""
			if i := bytes.Index(source, []byte(wanted)); i >= 0 {
				input, want = source[:i], string(source[i:])
			}
			documents, problems := r.Check("", input)
			var joined []byte
			for _, d := range documents {
				joined = append(joined, d.Source...)
			}
			if len(documents) > 0 && !bytes.Equal(joined, input) {
				t.Errorf("the documents joined are not the file:\n%s", joined)
			}

			var got strings.Builder
			for _, p := range problems {
				got.WriteString(wanted + strings.TrimPrefix(p.String(), ":") + "\n")
			}
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, append(input, got.String()...), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != want {
				t.Errorf("got:\n%swant:\n%s", got.String(), want)
			}

			rejected := schema.Rejects(problems)
			warned := slices.ContainsFunc(problems, func(p schema.Problem) bool { return p.Warning })
			switch kind := filepath.Base(filepath.Dir(file)); kind {
			case "accept":
				if len(problems) > 0 {
					t.Error("a problem with what is to be accepted")
				}
			case "warn":
				if rejected || !warned {
					t.Error("not warned of, or rejected")
				}
			default:
				if !rejected {
					t.Error("accepted")
				}
			}
		})
	}
}

func files(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	return names
}
