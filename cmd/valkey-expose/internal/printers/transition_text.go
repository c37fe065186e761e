package printers

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TransitionText says what a render changes, for people: one line a node and change, what changes for all nodes,
// and the sum.
func TransitionText(w io.Writer, t transition.Transition) error {
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	if len(t.Added)+len(t.Removed)+len(t.Moved)+len(t.Renamed)+len(t.Draining) > 0 {
		fmt.Fprintln(table, "CHANGE\tNODE\tHOSTNAME\tPORT\tSERVICE")
	}
	row := func(change string, n schema.Node, hostname, port string) {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", change, n.Name, hostname, port, n.Service)
	}
	for _, n := range t.Added {
		row("added", n, orNone(n.Hostname), portText(n.Port))
	}
	for _, n := range t.Removed {
		row("removed", n, orNone(n.Hostname), portText(n.Port))
	}
	for _, m := range t.Moved {
		row("moved", m.Node, orNone(m.Node.Hostname), becomes(portText(m.OldPort), portText(m.Node.Port)))
	}
	for _, r := range t.Renamed {
		row("renamed", r.Node, becomes(orNone(r.OldHostname), orNone(r.Node.Hostname)), portText(r.Node.Port))
	}
	for _, n := range t.Draining {
		row("draining", n, orNone(n.Hostname), portText(n.Port))
	}
	table.Flush()
	for _, s := range t.Changes {
		fmt.Fprintf(&out, "%s: %s\n", s.Name, becomes(orNone(s.Old), orNone(s.New)))
	}
	rolls := "the pods are not rolled"
	if t.Rolls {
		rolls = "the pods are rolled once"
	}
	fmt.Fprintf(&out, "nodes: %d added, %d removed, %d moved, %d renamed; %s\n",
		len(t.Added), len(t.Removed), len(t.Moved), len(t.Renamed), rolls)
	if t.Stale {
		fmt.Fprintln(&out, staleNodes(t))
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

func becomes(old, new string) string { return old + " -> " + new }

// staleNodes is what to do where nothing tells running nodes.
func staleNodes(t transition.Transition) string {
	what := "restart every pod, one at a time"
	if !transition.AnnouncedAtStart(t.New) {
		what = "only a read-back does, so render with --readback job"
	}
	return "running nodes are not told, with --readback none: " + what
}
