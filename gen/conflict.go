package gen

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// conflicts reports what two documents of one run both claim: a rendered
// object, an announced hostname, a listener of a Gateway.
func conflicts(documents []schema.Document, o Options) []schema.Problem {
	if len(documents) < 2 || len(Exposed(documents)) == 0 {
		return nil
	}
	c := claims{owners: map[string]schema.Document{}}
	var clusters []schema.Document
	for _, d := range documents {
		if d.Empty() {
			continue
		}
		namespace := d.Namespace
		if namespace == "" {
			namespace = o.Namespace
		}
		if !c.claim(d, "metadata.name", objectKey(d.Kind, namespace, d.Name)) {
			continue // the same object twice: all that follows from it collides as well
		}
		if d.IsCluster() {
			// The operator's Service for the bus: that of a cluster c-shard-0
			// has the name of the Service of shard 0 of a cluster c.
			c.claim(d, "metadata.name", objectKey("Service", namespace, schema.HeadlessName(d.Name)))
		}
		if exposed(d) {
			clusters = append(clusters, d)
		}
	}
	listeners := map[string]int{}
	for _, d := range clusters {
		c.cluster(d, o, listeners)
	}
	return c.problems
}

// claims remembers who claimed a thing first.
type claims struct {
	owners   map[string]schema.Document
	problems []schema.Problem
}

func objectKey(kind, namespace, name string) string {
	return fmt.Sprintf("%s %s", kind, qualified(namespace, name))
}

func qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// claim reports whether the document is the first to claim the thing, and a
// problem if not.
func (c *claims) claim(d schema.Document, path, thing string) bool {
	owner, taken := c.owners[thing]
	if !taken {
		c.owners[thing] = d
		return true
	}
	// Objects the user wrote twice are the user's affair.
	if !exposed(d) && !exposed(owner) {
		return false
	}
	c.problems = append(c.problems, at(d, path, fmt.Sprintf("claims %s, which %s at %s claims too",
		thing, owner.Kind+" "+owner.Name, owner.Locate("metadata.name")), ""))
	return false
}

// cluster claims all that an exposed cluster renders, one problem of a kind.
func (c *claims) cluster(d schema.Document, o Options, listeners map[string]int) {
	b := newBuilder(d.Cluster, o)
	namespace := b.plan.Namespace
	name := d.Cluster.Name
	for _, thing := range []string{
		objectKey("ConfigMap", namespace, announceName(name)),
		objectKey("ConfigMap", namespace, schema.EndpointsName(name)),
		objectKey("ConfigMap", namespace, schema.PlanName(name)),
		objectKey("Role", namespace, schema.ReadbackName(name)),
	} {
		c.claim(d, "metadata.name", thing)
	}
	access := d.Cluster.ExternalAccess
	objects, hostnames, ports := true, true, true
	for i, node := range b.plan.Nodes {
		if first := i == 0 || node.Shard != b.plan.Nodes[i-1].Shard; first {
			objects = objects && c.claim(d, "metadata.name", objectKey("Service", namespace, node.Service))
			if node.Hostname != "" {
				hostnames = hostnames && c.claim(d, "spec.externalAccess.domain", "hostname "+node.Hostname)
			}
		}
		if access.Gateway == nil {
			continue
		}
		objects = objects && c.claim(d, "metadata.name", objectKey("TCPRoute", namespace, routeName(name, node.Shard, node.Index)))
		ports = ports && c.claim(d, "spec.externalAccess.gateway.basePort", fmt.Sprintf("listener %d of %s", node.Port, gatewayOf(access, namespace)))
	}
	if access.Gateway == nil {
		return
	}
	// The rules warn of one cluster with too many listeners.
	gateway, nodes := gatewayOf(access, namespace), d.Cluster.Nodes()
	before := listeners[gateway]
	listeners[gateway] += nodes
	if before > 0 && before <= 64 && nodes <= 64 && listeners[gateway] > 64 {
		p := at(d, "spec.externalAccess.gateway", fmt.Sprintf("brings %s to %d listeners: a Gateway holds 64, more need ListenerSets", gateway, listeners[gateway]), "")
		p.Warning = true
		c.problems = append(c.problems, p)
	}
}

func gatewayOf(access *schema.ExternalAccess, namespace string) string {
	ref := access.Gateway.GatewayRef
	if ref.Namespace != "" {
		namespace = ref.Namespace
	}
	return "Gateway " + qualified(namespace, ref.Name)
}
