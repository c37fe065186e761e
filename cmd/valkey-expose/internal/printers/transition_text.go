package printers

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/valkey-expose/valkey-expose/gen/transition"
)

// TransitionText says what a render changes, for people: one line a node and
// change, what changes for all nodes, and the sum.
func TransitionText(w io.Writer, t transition.Transition) error {
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	for i, row := range changeRows(t) {
		if i == 0 {
			fmt.Fprintln(table, strings.ToUpper(strings.Join(changeColumns(), "\t")))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	table.Flush()
	for _, s := range t.Changes {
		fmt.Fprintf(&out, "%s: %s\n", s.Name, becomes(orNone(s.Old), orNone(s.New)))
	}
	fmt.Fprintln(&out, summary(t))
	if t.Stale {
		fmt.Fprintln(&out, unannounced(t))
	}
	for _, r := range t.Refusals {
		fmt.Fprintf(&out, "refused without --force: %s\n", r.Reason)
		if r.Step != "" {
			fmt.Fprintf(&out, "take this step first: %s\n", r.Step)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}
