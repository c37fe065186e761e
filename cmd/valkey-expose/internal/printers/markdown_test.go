package printers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestMarkdownShowsNamesAsTheyAre: what an object is called neither formats a
// comment, nor ends its line.
func TestMarkdownShowsNamesAsTheyAre(t *testing.T) {
	plan := planOf(1)
	var out bytes.Buffer
	if err := TransitionMarkdown(&out, transition.Transition{
		New:      &plan,
		Refusals: []transition.Refusal{{Reason: "takes away ConfigMap <img src=x> a|b `c` *d*\n# e", Step: "keep [it](x)"}},
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- takes away ConfigMap \\<img src=x> a\\|b \\`c\\` \\*d\\*\ufffd\\# e\n",
		"**Take this step first:** keep \\[it\\](x)\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestTransitionMarkdownPutsRefusalsFirst, and a step that does for two of them once.
func TestTransitionMarkdownPutsRefusalsFirst(t *testing.T) {
	plan := planOf(1)
	var out bytes.Buffer
	if err := TransitionMarkdown(&out, transition.Transition{
		New:      &plan,
		Added:    []schema.Node{plan.Nodes[0]},
		Refusals: []transition.Refusal{{Reason: "drops a", Step: "wait"}, {Reason: "moves b", Step: "wait"}},
	}); err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, part := range []string{"- drops a\n- moves b\n", "first:** wait\n", "Nodes: 1 added", "| added | orders-0-0 |"} {
		at := strings.Index(out.String(), part)
		if at < last {
			t.Errorf("%q is at %d, after %d:\n%s", part, at, last, out.String())
		}
		last = at
	}
	if strings.Count(out.String(), "wait") != 1 {
		t.Errorf("the step is there more than once:\n%s", out.String())
	}
}
