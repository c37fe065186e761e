package printers

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/schema"
)

func changeColumns() []string {
	return []string{"Change", "Node", "Hostname", "Port", "Service"}
}

// changeRows has one row a node and change.
func changeRows(t transition.Transition) [][]string {
	var rows [][]string
	row := func(change string, n schema.Node, hostname, port string) {
		rows = append(rows, []string{change, n.Name, hostname, port, n.Service})
	}
	for _, n := range t.Added {
		row("added", n, hostText(t.New, n), portText(n.Port))
	}
	for _, n := range t.Removed {
		row("removed", n, hostText(t.Old, n), portText(n.Port))
	}
	for _, m := range t.Moved {
		row("moved", m.Node, hostText(t.New, m.Node), becomes(portText(m.OldPort), portText(m.Node.Port)))
	}
	for _, r := range t.Renamed {
		row("renamed", r.Node, becomes(orNone(r.OldHost), hostText(t.New, r.Node)), portText(r.Node.Port))
	}
	for _, n := range t.Draining {
		row("draining", n, hostText(t.New, n), portText(n.Port))
	}
	return rows
}

func becomes(old, new string) string { return old + " -> " + new }

// summary is what a render changes, in one line.
func summary(t transition.Transition) string {
	rolls := "the pods are not rolled"
	if t.Rolls {
		rolls = "the pods are rolled once"
	}
	return fmt.Sprintf("nodes: %d added, %d removed, %d moved, %d renamed; %s",
		len(t.Added), len(t.Removed), len(t.Moved), len(t.Renamed), rolls)
}

// unannounced is what to do where nothing announces a change to running nodes.
func unannounced(t transition.Transition) string {
	what := "restart every pod, one at a time"
	if !transition.AnnouncedAtStart(t.New) {
		what = "render with --readback job"
	}
	return "with --readback none, nothing announces this to running nodes: " + what
}
