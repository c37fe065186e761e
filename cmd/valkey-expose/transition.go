package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

// printTransition prints one line a node and change, what changes for all nodes,
// and the sum.
func printTransition(w io.Writer, t gen.Transition) error {
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
	for _, s := range t.Settings {
		fmt.Fprintf(&out, "%s: %s\n", s.Name, becomes(orNone(s.Old), orNone(s.New)))
	}
	rolls := "the pods are not rolled"
	if t.Rolls {
		rolls = "the pods are rolled once"
	}
	fmt.Fprintf(&out, "nodes: %d added, %d removed, %d moved, %d renamed; %s\n",
		len(t.Added), len(t.Removed), len(t.Moved), len(t.Renamed), rolls)
	if t.Untold {
		fmt.Fprintln(&out, untold(t))
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

// untold is what to do where nothing tells running nodes.
func untold(t gen.Transition) string {
	what := "restart every pod, one at a time"
	if !t.New.AnnouncedAtStart() {
		what = "only a read-back does, so render with --readback job"
	}
	return "running nodes are not told, with --readback none: " + what
}

// orNone is a name, or what stands for none in a table.
func orNone(name string) string {
	if name == "" {
		return "-"
	}
	return name
}

// portText is a port, or what stands for one that is not known yet.
func portText(port int) string {
	if port == 0 {
		return allocated
	}
	return strconv.Itoa(port)
}

// printRefusals says why nothing was written, and what to do first.
func printRefusals(w io.Writer, directory string, t gen.Transition) {
	for _, r := range t.Refusals {
		fmt.Fprintf(w, "%s: error: %s\n", name, printable("writing "+directory+" is refused: the change "+r.Reason))
		printMoved(w, r.Moves)
	}
	var steps []string // one may do for several
	for _, r := range t.Refusals {
		if r.Step != "" && !slices.Contains(steps, r.Step) {
			steps = append(steps, r.Step)
			fmt.Fprintf(w, "%s: hint: first %s\n", name, r.Step)
		}
	}
	fmt.Fprintf(w, "%s: hint: --force makes the change at once\n", name)
}

// printNotes lists what goes away or moves by a render that was made.
func printNotes(w io.Writer, t gen.Transition) {
	if len(t.Removed) > 0 {
		fmt.Fprintf(w, "%s: note: nodes no longer exposed: %d\n", name, len(t.Removed))
		table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		fmt.Fprintln(table, "NODE\tHOSTNAME\tPORT\tSERVICE")
		for _, n := range t.Removed {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", n.Name, orNone(n.Hostname), portText(n.Port), n.Service)
		}
		table.Flush()
		if replicasGo(t) {
			fmt.Fprintf(w, "%s: note: ports of replicas go at once: clients are sent to the other nodes of the shard\n", name)
		}
	}
	if len(t.Draining) > 0 {
		fmt.Fprintf(w, "%s: note: nodes served until they are empty: %d; take servedShards out once the cluster is Ready\n", name, len(t.Draining))
	}
	if t.Untold {
		fmt.Fprintf(w, "%s: note: %s\n", name, untold(t))
	}
	if len(t.Moved) > 0 {
		fmt.Fprintf(w, "%s: note: nodes reached by another port: %d\n", name, len(t.Moved))
		printMoved(w, t.Moved)
	}
}

// replicasGo reports whether a shard that stays loses nodes.
func replicasGo(t gen.Transition) bool {
	return t.New.Plan != nil && t.New.Plan.Cluster == t.Old.Plan.Cluster && slices.ContainsFunc(t.Removed, func(removed schema.Node) bool {
		return slices.ContainsFunc(t.New.Plan.Nodes, func(n schema.Node) bool { return n.Shard == removed.Shard })
	})
}

func printMoved(w io.Writer, all []gen.Move) {
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
