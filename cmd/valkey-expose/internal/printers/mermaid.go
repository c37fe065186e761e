package printers

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// maxEdges is how many arrows Mermaid draws unless its site is configured
// otherwise (its setting maxEdges), which no code host is.
const maxEdges = 500

// EndpointsMermaid draws which way clients take to each node, as a Mermaid
// flowchart: client, hostname and port, Service, node.
func EndpointsMermaid(w io.Writer, plans []schema.Plan) error {
	var out bytes.Buffer
	out.WriteString("flowchart LR\n")
	if len(plans) > 0 {
		out.WriteString("  client([\"client\"])\n") // here, or it would be drawn as a part of a cluster
	}
	edges := 0
	for c, plan := range plans {
		var entries []string
		services := map[string]string{}
		fmt.Fprintf(&out, "  subgraph c%d[\"ValkeyCluster %s\"]\n", c, schema.QualifiedName(plan.Namespace, plan.Cluster))
		for i, n := range plan.Nodes {
			service, known := services[n.Service]
			if !known {
				service = fmt.Sprintf("c%ds%d", c, len(services))
				services[n.Service] = service
				fmt.Fprintf(&out, "    %s[\"Service %s<br/>%s\"]\n", service, n.Service, plan.ServiceType)
			}
			entry, node := fmt.Sprintf("c%de%d", c, i), fmt.Sprintf("c%dn%d", c, i)
			fmt.Fprintf(&out, "    %s[\"%s\"] --> %s\n", entry, entryText(&plan, n), service)
			fmt.Fprintf(&out, "    %s -->|%d| %s[\"%s<br/>%s at creation\"]\n", service, n.ServicePort, node, n.Name, n.Role())
			entries = append(entries, entry)
		}
		fmt.Fprintf(&out, "  end\n  client --> %s\n", strings.Join(entries, " & "))
		edges += 3 * len(plan.Nodes)
	}
	if edges > maxEdges {
		return fmt.Errorf("the flowchart has %d arrows, and code hosts draw at most %d; --format markdown lists every node", edges, maxEdges)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// entryText is what a client dials, and where a Gateway listens, which one.
func entryText(plan *schema.Plan, n schema.Node) string {
	text := n.Host()
	if text == "" {
		text = entryAddress(plan)
	}
	if n.Port == 0 {
		text += "<br/>port " + allocated
	} else {
		text += fmt.Sprintf(":%d", n.Port)
	}
	if g := plan.GatewayRef; plan.Gateway && g != nil {
		text += "<br/>Gateway " + schema.QualifiedName(g.Namespace, g.Name)
	}
	return text
}

// entryAddress says whose address clients dial where no hostname is announced.
func entryAddress(plan *schema.Plan) string {
	switch {
	case plan.Gateway:
		return "address of the Gateway"
	case plan.ServiceType == schema.LoadBalancer:
		return "address of the load balancer"
	case plan.ServiceType == schema.NodePort:
		return "address of any machine"
	}
	return "address of the Service"
}
