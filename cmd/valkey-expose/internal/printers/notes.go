package printers

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Refusals says why nothing was written, and what to do first.
func Refusals(w io.Writer, directory string, t transition.Transition) {
	for _, r := range t.Refusals {
		report.Error(w, "%s", report.Printable("writing "+directory+" is refused: the change "+r.Reason))
		printMoved(w, r.Moves)
	}
	for _, step := range steps(t.Refusals) {
		report.Hint(w, "first %s", step)
	}
	report.Hint(w, "--force makes the change at once")
}

// Notes lists what goes away or moves by a render that was made.
func Notes(w io.Writer, t transition.Transition) {
	if len(t.Removed) > 0 {
		report.Note(w, "nodes no longer exposed: %d", len(t.Removed))
		table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		fmt.Fprintln(table, "NODE\tHOSTNAME\tPORT\tSERVICE")
		for _, n := range t.Removed {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", n.Name, hostText(t.Old, n), portText(n.Port), n.Service)
		}
		table.Flush()
		if replicasGo(t) {
			report.Note(w, "ports of replicas go at once: clients are sent to the other nodes of the shard")
		}
	}
	if len(t.Draining) > 0 {
		report.Note(w, "nodes served until they are empty: %d; take servedShards out once the cluster is Ready", len(t.Draining))
	}
	if t.Unannounced {
		report.Note(w, "%s", unannounced(t))
	}
	if len(t.Moved) > 0 {
		report.Note(w, "nodes reached by another port: %d", len(t.Moved))
		printMoved(w, t.Moved)
	}
}

// replicasGo reports whether a shard that stays loses nodes.
func replicasGo(t transition.Transition) bool {
	return t.New != nil && t.New.Cluster == t.Old.Cluster && slices.ContainsFunc(t.Removed, func(removed schema.Node) bool {
		return slices.ContainsFunc(t.New.Nodes, func(n schema.Node) bool { return n.Shard == removed.Shard })
	})
}

func printMoved(w io.Writer, all []transition.Move) {
	if len(all) == 0 {
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NODE\tOLD PORT\tNEW PORT")
	for _, m := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\n", m.Node.Name, portText(m.OldPort), portText(m.Node.Port))
	}
	table.Flush()
}
