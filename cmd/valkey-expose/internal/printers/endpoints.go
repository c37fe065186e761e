// Package printers writes what commands print: where clients reach each node, what
// a render changes for them, and how a directory differs. One file a format.
package printers

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// EndpointsTable lists where clients reach each node, for people.
func EndpointsTable(w io.Writer, plans []schema.Plan) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	if len(plans) > 0 {
		fmt.Fprintln(table, strings.ToUpper(strings.Join(endpointColumns(), "\t")))
	}
	for _, plan := range plans {
		for _, n := range plan.Nodes {
			fmt.Fprintln(table, strings.Join(endpointRow(&plan, n), "\t"))
		}
	}
	return table.Flush()
}

func endpointColumns() []string {
	return []string{"Node", "Role at creation", "Hostname", "Port", "Service"}
}

func endpointRow(plan *schema.Plan, n schema.Node) []string {
	return []string{n.Name, n.Role(), hostText(plan, n), portText(n.Port), n.Service}
}

// SANs lists the names and addresses that each cluster's certificate must carry, one a
// line, as far as they are known at the render.
func SANs(w io.Writer, plans []schema.Plan) error {
	for _, p := range plans {
		for _, name := range plan.CertificateNames(p) {
			if _, err := fmt.Fprintln(w, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// hostText is what a node announces as its hostname, or what stands for it in a table.
func hostText(plan *schema.Plan, n schema.Node) string {
	if plan.AwaitsAddress(n) {
		return entryAddress(plan)
	}
	return orNone(n.Host())
}

// orNone is a name, or what stands for none in a table.
func orNone(name string) string {
	if name == "" {
		return "-"
	}
	return name
}

// allocated stands for a port that is not known before the manifests are applied.
const allocated = "allocated by Kubernetes"

// portText is a port, or what stands for one.
func portText(port int) string {
	if port == 0 {
		return allocated
	}
	return strconv.Itoa(port)
}
