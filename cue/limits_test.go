package rules

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestLimits: an input that is too large is refused, at once.
func TestLimits(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	const head = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a}\nspec:\n  shards: 1\n  externalAccess:\n    domain: a.example\n    preferredEndpointType: hostname\n    enabled: true\n"
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, test := range map[string]struct{ input, want string }{
		"a file of 8 MiB": {
			head + "# " + strings.Repeat("x", MaxFile-len(head)-2), "f:1:1: is larger than the 1536 KiB an API server takes",
		},
		"a file over 8 MiB": {
			strings.Repeat("#", MaxFile+1), "f:1:1: is larger than 8 MiB",
		},
		"many fields": {
			head + many(maxFields, "    x%d: 1\n"), "f:4:1: spec: has 5011 fields and elements that must be checked, more than 5000",
		},
		"many problems of a document": {
			head + many(200, "    x%d: 1\n"), "f:10:5: spec.externalAccess.x0: unknown field",
		},
		"many clusters": {
			many(maxClusters+1, "---\napiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a%d}\nspec: {shards: 1, externalAccess: {enabled: true, domain: a.example, preferredEndpointType: hostname}}\n"),
			"f:1002:1: is one ValkeyCluster too many: a file holds 200 with external access",
		},
		"a long annotation": {
			head + "    serviceAnnotations: {a: " + strings.Repeat("x", 262000) + "}\n",
			"f:10:5: spec.externalAccess.serviceAnnotations: are too long together",
		},
		"a long annotation in a list": {
			head + "    serviceAnnotations: {a: [" + strings.Repeat("x", 262000) + "]}\n",
			"f:10:5: spec.externalAccess.serviceAnnotations: are too long together",
		},
		"long annotations of many Services": { // each has one of them
			strings.Replace(head, "shards: 1", "shards: 3", 1) + "    serviceAnnotations: {a: [" + strings.Repeat(strings.Repeat("x", 261000)+", ", 2) + "\"{x}\"]}\n",
			"f:10:522034: spec.externalAccess.serviceAnnotations[a][2]: has braces",
		},
		"many problems of a file": {
			strings.Repeat("---\n5\n", 3*maxProblems), "f:2:1: is no Kubernetes object",
		},
		"many markers with what kubectl does not take": {
			strings.Repeat("--- 5\n", 3*maxProblems), "f:1:5: stands on the line of a document's marker",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := r.Check("f", []byte(test.input))
			if len(problems) == 0 || !strings.HasPrefix(problems[0].String(), test.want) {
				t.Errorf("got %.200s, want %s", fmt.Sprint(problems), test.want)
			}
			if len(problems) > maxProblems+1 {
				t.Errorf("%d problems", len(problems))
			}
		})
	}
}

// TestPassingOverOthers: what is no ValkeyCluster with external access has no
// limit but the file's.
func TestPassingOverOthers(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	input := bytes.Repeat([]byte("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), 20000)
	documents, problems := r.Check("f", input)
	if len(documents) != 20000 || schema.Rejects(problems) {
		t.Errorf("%d documents, %v", len(documents), problems)
	}
}

func TestBoundsOfOneDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString(orders + "x:\n")
	for range 300 {
		b.WriteString("  a: 1\n")
	}
	unknown := strings.Replace(b.String(), access, "externalAccess: {enabled: true"+strings.Repeat(", x1: 1, x2: 2, x3: 3", 50)+"}", 1)
	for i := range 200 {
		unknown = strings.Replace(unknown, "x1: 1", fmt.Sprintf("y%d: 1", i), 1)
	}
	for _, input := range []string{b.String(), unknown} {
		_, got := said(t, input)
		if len(got) != maxFindings {
			t.Errorf("%d problems", len(got))
		}
		for _, line := range got {
			if strings.Contains(line, "warning: ") {
				t.Errorf("a warning in an error's place: %s", line)
			}
		}
	}
	many := func(n int, block string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "---\n%smetadata: {name: a%d}\nspec: {shards: 1, externalAccess: %s}\n", head, i, block)
		}
		return b.String()
	}
	for _, block := range []string{"{enabled: false}", "null"} {
		if _, got := said(t, many(maxClusters+1, block)); strings.Contains(strings.Join(got, "\n"), "too many") {
			t.Errorf("%s counts as external access: %q", block, got[len(got)-1])
		}
	}
}
