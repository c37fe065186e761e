package printers

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// RecordsTable lists the names that clients outside resolve, for people. What is not
// known is described.
func RecordsTable(w io.Writer, sets []records.Set) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	if len(sets) > 0 {
		fmt.Fprintln(table, "NAME\tTYPE\tLEADS TO\tPORTS")
	}
	for _, set := range sets {
		for _, name := range set.Names {
			if len(name.Targets) == 0 {
				fmt.Fprintf(table, "%s\t-\t%s\t%s\n", name.Hostname, destination(set.Plan, name), portsText(name.Ports))
			}
			for _, target := range name.Targets {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", name.Hostname, records.Type(target), target, portsText(name.Ports))
			}
		}
	}
	return table.Flush()
}

// RulesTable lists the Services that names are led to inside, for people.
func RulesTable(w io.Writer, clusters []*plan.Exposed) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	if len(clusters) > 0 {
		fmt.Fprintln(table, "NAME\tSERVICE INSIDE\tPORTS")
	}
	for _, x := range clusters {
		for _, name := range plan.Names(&x.Plan) {
			var ports []int
			for _, n := range name.Nodes {
				ports = append(ports, n.Port)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\n", name.Hostname, plan.ServiceHost(x, plan.Inside(&x.Plan, name.Nodes[0])), portsText(ports))
		}
	}
	return table.Flush()
}

// destination says what a name must lead to where no address is known.
func destination(p *schema.Plan, name records.Name) string {
	switch {
	case p.Gateway && p.GatewayRef != nil:
		return "address of Gateway " + schema.QualifiedName(p.GatewayRef.Namespace, p.GatewayRef.Name)
	case p.ServiceType == schema.LoadBalancer, p.ServiceType == schema.ClusterIP:
		return "address of Service " + schema.QualifiedName(p.Namespace, name.Service)
	}
	return "addresses of the machines"
}

// portsText lists ports; those that are not known yet once.
func portsText(ports []int) string {
	var all []string
	for _, port := range ports {
		text := portText(port)
		if port != 0 || len(all) == 0 || all[len(all)-1] != text {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}
