package gen

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/valkey-expose/valkey-expose/gen/objects"
	"github.com/valkey-expose/valkey-expose/schema"
)

// conflicts reports what two documents of one run both claim: a rendered
// object, an announced hostname, a listener of a Gateway.
func (r *Rendering) conflicts() []schema.Problem {
	if len(r.documents) < 2 || len(r.exposed()) == 0 {
		return nil
	}
	c := claims{owners: map[key]*document{}}
	var clusters []*document
	for _, d := range r.documents {
		if d.Empty() {
			continue
		}
		namespace := cmp.Or(d.Namespace, r.options.Namespace)
		if !c.claim(d, "metadata.name", objectKey(d.APIVersion, d.Kind, namespace, d.Name)) {
			continue // the same object twice: all that follows from it collides as well
		}
		if d.IsCluster() {
			// The operator's Service for the bus and its ConfigMap: those of a
			// cluster c-shard-0 or c-announce have names of what is rendered for c.
			for _, kind := range []string{"Service", "ConfigMap"} {
				c.claim(d, "metadata.name", objectKey("v1", kind, namespace, schema.HeadlessName(d.Name)))
			}
		}
		if d.exposed != nil {
			clusters = append(clusters, d)
		}
	}
	listeners := map[string]int{}
	for _, d := range clusters {
		c.cluster(r, d, listeners)
	}
	return c.problems
}

// claims remembers who claimed a thing first.
type claims struct {
	owners   map[key]*document
	problems []schema.Problem
}

// key is what makes an object the same as another: a Knative Service is no
// Service, and one version of a TCPRoute is the other.
type key struct{ group, thing string }

func objectKey(apiVersion, kind, namespace, name string) key {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		group = ""
	}
	if group == admissionv1.GroupName {
		namespace = "" // all of the group are cluster-scoped
	}
	return key{group, kind + " " + schema.QualifiedName(namespace, name)}
}

// claim reports whether the document is the first to claim the thing, and a
// problem if not.
func (c *claims) claim(d *document, path string, thing key) bool {
	owner, taken := c.owners[thing]
	if !taken {
		c.owners[thing] = d
		return true
	}
	// Objects the user wrote twice are the user's affair.
	if d.exposed == nil && owner.exposed == nil {
		return false
	}
	c.problems = append(c.problems, d.problem(path, fmt.Sprintf("claims %s, which %s at %s claims too",
		thing.thing, owner.Kind+" "+owner.Name, owner.Locate("metadata.name")), ""))
	return false
}

// cluster claims all that an exposed cluster renders, one problem of a kind.
func (c *claims) cluster(r *Rendering, d *document, listeners map[string]int) {
	plan := &d.exposed.Plan
	all, err := d.render(r.way)
	if err != nil {
		c.problems = append(c.problems, d.problem("spec.externalAccess", err.Error(), ""))
		return
	}
	collides := map[string]bool{}
	for _, p := range slices.Concat(all.before, all.after) {
		object, ok := p.value.(interface {
			runtime.Object
			metav1.Object
		})
		if !ok {
			c.problems = append(c.problems, d.problem("spec.externalAccess", fmt.Sprintf("is rendered to %T in %s, which is no Kubernetes object", p.value, p.file), ""))
			return
		}
		apiVersion, kind := object.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
		if !collides[kind] {
			collides[kind] = !c.claim(d, "metadata.name", objectKey(apiVersion, kind, object.GetNamespace(), object.GetName()))
		}
	}
	hostnames, ports := true, true
	for i, node := range plan.Nodes {
		if node.Hostname != "" && (i == 0 || node.Hostname != plan.Nodes[i-1].Hostname) {
			hostnames = hostnames && c.claim(d, "spec.externalAccess.domain", key{thing: "hostname " + node.Hostname})
		}
		if plan.Gateway {
			ports = ports && c.claim(d, "spec.externalAccess.gateway.basePort", key{thing: fmt.Sprintf("listener %d of %s", node.Port, gatewayOf(plan))})
		}
	}
	c.firstContact(d)
	if !plan.Gateway {
		return
	}
	// The rules warn of one cluster with too many listeners.
	gateway, nodes := gatewayOf(plan), len(plan.Nodes)
	others := listeners[gateway]
	listeners[gateway] += nodes
	if others > 0 && others <= 64 && nodes <= 64 && listeners[gateway] > 64 {
		p := d.problem("spec.externalAccess.gateway", fmt.Sprintf("brings %s to %d listeners: a Gateway holds 64, more need ListenerSets", gateway, listeners[gateway]), "")
		p.Warning = true
		c.problems = append(c.problems, p)
	}
}

// firstContact claims the names beside the announced ones that external-dns gives
// the Services; the rules have seen to it that all of them get the same.
func (c *claims) firstContact(d *document) {
	first := d.exposed.Plan.Nodes[0]
	claimed := map[string]bool{first.Hostname: true}
	annotations := objects.ServiceAnnotations(d.exposed, first)
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if !externalDNS.MatchString(name) {
			continue
		}
		for host := range strings.SplitSeq(strings.ReplaceAll(annotations[name], " ", ""), ",") {
			if host = strings.TrimSuffix(strings.ToLower(host), "."); !claimed[host] {
				claimed[host] = true
				c.claim(d, fmt.Sprintf("spec.externalAccess.serviceAnnotations[%s]", name), key{thing: "hostname " + host})
			}
		}
	}
}

// externalDNS is the annotation that names a Service, as in the rules.
var externalDNS = regexp.MustCompile(`^external-dns\.(alpha\.)?kubernetes\.io/hostname$`)

func gatewayOf(p *schema.Plan) string {
	return "Gateway " + schema.QualifiedName(p.GatewayRef.Namespace, p.GatewayRef.Name)
}
