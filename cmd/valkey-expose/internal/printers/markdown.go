package printers

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/schema"
)

// EndpointsMarkdown lists where clients reach each node, for a comment on a pull
// request.
func EndpointsMarkdown(w io.Writer, plans []schema.Plan) error {
	var out bytes.Buffer
	if len(plans) == 0 {
		out.WriteString("No ValkeyCluster has external access.\n")
	}
	for i, plan := range plans {
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "### Endpoints of ValkeyCluster %s\n\n", schema.QualifiedName(plan.Namespace, plan.Cluster))
		var rows [][]string
		for _, n := range plan.Nodes {
			rows = append(rows, endpointRow(&plan, n))
		}
		markdownTable(&out, endpointColumns(), rows)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// TransitionMarkdown says what a render changes, for a comment on a pull request:
// what is refused first, for that is what a reviewer must know.
func TransitionMarkdown(w io.Writer, t transition.Transition) error {
	var out bytes.Buffer
	plan := t.New
	if plan == nil {
		plan = t.Old
	}
	if plan == nil {
		out.WriteString("### External access: no ValkeyCluster has it\n\n")
	} else {
		fmt.Fprintf(&out, "### External access of ValkeyCluster %s: what changes\n\n", schema.QualifiedName(plan.Namespace, plan.Cluster))
	}
	if len(t.Refusals) > 0 {
		out.WriteString("**Refused without `--force`:**\n\n")
		for _, r := range t.Refusals {
			fmt.Fprintf(&out, "- %s\n", markdownText(r.Reason))
		}
		out.WriteString("\n")
		for _, step := range steps(t.Refusals) {
			fmt.Fprintf(&out, "**Take this step first:** %s\n\n", markdownText(step))
		}
	}
	fmt.Fprintf(&out, "%s.\n", capitalized(summary(t)))
	if t.Unannounced {
		fmt.Fprintf(&out, "\n**%s.**\n", markdownText(capitalized(unannounced(t))))
	}
	if len(t.Changes) > 0 {
		var rows [][]string
		for _, s := range t.Changes {
			rows = append(rows, []string{s.Name, orNone(s.Old), orNone(s.New)})
		}
		out.WriteString("\n")
		markdownTable(&out, []string{"For all nodes", "Old", "New"}, rows)
	}
	if rows := changeRows(t); len(rows) > 0 {
		out.WriteString("\n")
		markdownTable(&out, changeColumns(), rows)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// steps are the steps to take first, each once: one may do for several refusals.
func steps(refusals []transition.Refusal) []string {
	var all []string
	for _, r := range refusals {
		if r.Step != "" && !slices.Contains(all, r.Step) {
			all = append(all, r.Step)
		}
	}
	return all
}

func markdownTable(out *bytes.Buffer, columns []string, rows [][]string) {
	line := func(cells []string) {
		out.WriteString("|")
		for _, cell := range cells {
			out.WriteString(" " + markdownText(cell) + " |")
		}
		out.WriteString("\n")
	}
	line(columns)
	out.WriteString(strings.Repeat("|---", len(columns)) + "|\n")
	for _, row := range rows {
		line(row)
	}
}

func capitalized(sentence string) string { return strings.ToUpper(sentence[:1]) + sentence[1:] }

// markdownText is a text that Markdown shows as it is: names of the user's objects
// stand in it.
func markdownText(text string) string {
	var out strings.Builder
	for _, r := range report.Printable(text) {
		if strings.ContainsRune("\\`*_<[]|~#&", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
