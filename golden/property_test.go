package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestProperties renders random valid clusters and holds the output to what must
// be true of every one.
func TestProperties(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			source, options := randomCluster(rand.New(rand.NewPCG(seed, 0)))
			documents := check(t, source)
			rendering := gen.New(documents, options)
			if problems := rendering.Check(); schema.Rejects(problems) {
				t.Fatalf("%v\n%s", problems, source)
			}
			output, err := rendering.Stream()
			if err != nil {
				t.Fatal(err)
			}
			objects := decodeAll(t, output, false)
			plan := planOf(t, objects)

			announcedOnce(t, plan, objects)
			onePodAPort(t, plan, objects)
			inOrder(t, plan, objects)
			asAsked(t, plan, objects, documents[0].Cluster)
			unchangedAgain(t, output, documents, options)
			keptBlock(t, output, documents, options)
			if bytes.Contains(output, []byte("${")) {
				t.Error("${ in the output")
			}
			if t.Failed() {
				t.Logf("input:\n%s", source)
			}
		})
	}
}

// randomCluster is a valid document and the options to render it with.
func randomCluster(r *rand.Rand) ([]byte, gen.Options) {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	options := gen.Defaults()
	options.ReadbackImage = image
	options.Namespace = "shop"
	options.Readback = pick(schema.ReadbackJob, schema.ReadbackCronJob, schema.ReadbackNone)
	options.Inject = pick(schema.InjectAdmission, schema.InjectNone)

	access := map[string]any{"enabled": true}
	gateway := r.IntN(3) == 0
	if gateway {
		access["gateway"] = map[string]any{
			"gatewayRef": map[string]any{"name": "public"},
			"basePort":   1 + r.IntN(60000),
		}
	}
	if r.IntN(2) == 0 {
		access["serviceScope"] = pick("shard", "node")
	}
	if r.IntN(2) == 0 {
		access["serviceType"] = pick("NodePort", "LoadBalancer", "ClusterIP")
	}
	if kind := access["serviceType"]; r.IntN(4) == 0 && kind != "ClusterIP" && (kind != nil || !gateway) {
		access["externalTrafficPolicy"] = pick("Cluster", "Local")
	}
	if r.IntN(2) == 0 {
		access["domain"] = pick("example.com", "a.b.c", "valkey")
		access["preferredEndpointType"] = pick("ip", "hostname")
	}
	if kind := access["serviceType"]; access["domain"] == nil && r.IntN(2) == 0 && (gateway || kind != "ClusterIP") {
		access["preferredEndpointType"] = "address"
		if gateway && r.IntN(2) == 0 || !gateway && kind != "LoadBalancer" {
			access["address"] = pick("203.0.113.7", "lb.example.net")
		}
	}
	if r.IntN(2) == 0 {
		access["hostnamePrefix"] = pick("vk", "s0", "a-b")
	}
	if r.IntN(2) == 0 {
		access["ipFamilyPolicy"] = pick("SingleStack", "PreferDualStack", "RequireDualStack")
	}
	if access["serviceType"] == "LoadBalancer" {
		access["allocateLoadBalancerNodePorts"] = r.IntN(2) == 0
		access["loadBalancerClass"] = pick("internal", "example.com/nlb")
		access["loadBalancerSourceRanges"] = []string{"10.0.0.0/8", pick("192.0.2.0/24", "2001:db8::/32")}
	}
	annotations := map[string]any{"example.com/shard": pick("{cluster} {namespace} {shard}", "{{{shard}}}", "")}
	if access["domain"] != nil {
		annotations["external-dns.alpha.kubernetes.io/hostname"] = "{hostname}"
	}
	access["serviceAnnotations"] = annotations
	spec := map[string]any{"shards": 1 + r.IntN(13), "replicas": r.IntN(12), "externalAccess": access}
	if r.IntN(3) == 0 {
		spec["tls"] = map[string]any{"certificate": map[string]any{"secretName": "certificate"}}
	}
	if r.IntN(3) == 0 {
		spec["containers"] = []any{map[string]any{"name": pick("server", "exporter")}}
	}
	source, err := json.MarshalIndent(map[string]any{
		"apiVersion": "valkey.io/v1alpha1",
		"kind":       "ValkeyCluster",
		"metadata":   map[string]any{"name": pick("a", "orders", "c-0", "9")},
		"spec":       spec,
	}, "", pick("", "  ", "\t"))
	if err != nil {
		panic(err) // maps and strings only
	}
	return source, options
}

func planOf(t *testing.T, objects []metav1.Object) schema.Plan {
	t.Helper()
	for _, o := range objects {
		if m, ok := o.(*corev1.ConfigMap); ok && m.Data["plan.json"] != "" {
			var plan schema.Plan
			if err := json.Unmarshal([]byte(m.Data["plan.json"]), &plan); err != nil {
				t.Fatal(err)
			}
			return plan
		}
	}
	t.Fatal("no plan")
	return schema.Plan{}
}

// settings are the announced settings of each node's static file, by the
// file's key.
func settings(t *testing.T, objects []metav1.Object) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	for _, o := range objects {
		m, ok := o.(*corev1.ConfigMap)
		if !ok || !strings.HasSuffix(m.Name, "-announce") {
			continue
		}
		for key, text := range m.Data {
			all[key] = map[string]string{}
			for line := range strings.Lines(text) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
				if _, twice := all[key][name]; twice {
					t.Errorf("%s: %s twice", key, name)
				}
				all[key][name] = value
			}
		}
	}
	return all
}

// announcedOnce: no two nodes are announced under one host and port, counting
// the static files and the Plan together; and the files say what the Plan does.
func announcedOnce(t *testing.T, plan schema.Plan, objects []metav1.Object) {
	t.Helper()
	files := settings(t, objects)
	if len(files) != len(plan.Nodes) {
		t.Errorf("%d files for %d nodes", len(files), len(plan.Nodes))
	}
	seen := map[string]string{}
	for _, node := range plan.Nodes {
		file := files[fmt.Sprintf("%d-%d.static.conf", node.Shard, node.Index)]
		if file["cluster-announce-hostname"] != node.Host() || file["cluster-announce-human-nodename"] != node.Name {
			t.Errorf("%s: the file announces %v", node.Name, file)
		}
		if plan.PreferredEndpointType == schema.PreferIP {
			if file["cluster-announce-client-port"] != "0" || file["cluster-announce-client-tls-port"] != "0" {
				t.Errorf("%s: a client port beside ip: %v", node.Name, file)
			}
			continue
		}
		port := fmt.Sprint(node.Port)
		if node.Port == 0 { // Kubernetes allocates each port of the cluster once
			port = fmt.Sprintf("that of %s %s", node.Service, node.PortName)
		}
		for _, name := range []string{"cluster-announce-client-port", "cluster-announce-client-tls-port"} {
			if value, announced := file[name]; announced && value != port {
				t.Errorf("%s: the file announces %s %s, the plan %s", node.Name, name, value, port)
			}
		}
		host := node.Host()
		if plan.AwaitsAddress(node) && !plan.Gateway {
			host = "that of " + node.Service
		}
		at := host + " " + port
		if other, taken := seen[at]; taken {
			t.Errorf("%s and %s are both at %s", node.Name, other, at)
		}
		seen[at] = node.Name
	}
}

// onePodAPort: of the pods the operator and the policy make, each Service port
// selects exactly the node of the Plan.
func onePodAPort(t *testing.T, plan schema.Plan, objects []metav1.Object) {
	t.Helper()
	services := map[string]*corev1.Service{}
	for _, o := range objects {
		if s, ok := o.(*corev1.Service); ok {
			services[s.Name] = s
		}
	}
	for _, node := range plan.Nodes {
		service := services[node.Service]
		if service == nil {
			t.Fatalf("no Service %s", node.Service)
		}
		i := slices.IndexFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == node.PortName })
		if i < 0 || int(service.Spec.Ports[i].Port) != node.ServicePort {
			t.Fatalf("%s has no port %s %d", node.Service, node.PortName, node.ServicePort)
		}
		var selected []string
		for _, pod := range plan.Nodes {
			labels := map[string]string{ // of the operator's pods
				"app.kubernetes.io/component": "valkey-node",
				"valkey.io/cluster":           plan.Cluster,
				"valkey.io/shard-index":       strconv.Itoa(pod.Shard),
				"valkey.io/node-index":        strconv.Itoa(pod.Index),
			}
			matches := true
			for name, value := range service.Spec.Selector {
				matches = matches && labels[name] == value
			}
			target := service.Spec.Ports[i].TargetPort
			// 6379 is every pod's.
			if matches && (target.IntVal == 6379 || target.StrVal == "vk-n"+strconv.Itoa(pod.Index)) {
				selected = append(selected, pod.Name)
			}
		}
		if !slices.Equal(selected, []string{node.Name}) {
			t.Errorf("port %s of %s leads to %v, not to %s", node.PortName, node.Service, selected, node.Name)
		}
	}
}

// inOrder: nodes, Services and their ports come by shard and node as numbers; the
// ValkeyCluster after all that its pods need, and before the Job.
func inOrder(t *testing.T, plan schema.Plan, objects []metav1.Object) {
	t.Helper()
	if !slices.IsSortedFunc(plan.Nodes, func(a, b schema.Node) int {
		return (a.Shard-b.Shard)*100000 + a.Index - b.Index
	}) {
		t.Error("nodes out of order")
	}
	after := slices.IndexFunc(objects, func(o metav1.Object) bool { _, ok := o.(*cluster); return ok }) + 1
	for i, o := range objects {
		_, job := o.(*batchv1.Job)
		_, cronJob := o.(*batchv1.CronJob)
		if after > 0 && i != after-1 && (i >= after) != (job || cronJob) {
			t.Errorf("%T %s in place %d, the ValkeyCluster in place %d", o, o.GetName(), i, after-1)
		}
	}
	var ports, nodes []string
	for _, o := range objects {
		if service, ok := o.(*corev1.Service); ok {
			for _, port := range service.Spec.Ports {
				ports = append(ports, service.Name+" "+port.Name)
			}
		}
	}
	for _, node := range plan.Nodes {
		nodes = append(nodes, node.Service+" "+node.PortName)
	}
	if !slices.Equal(ports, nodes) {
		t.Errorf("the ports of Services are %v, those of the nodes %v", ports, nodes)
	}
}

// unchangedAgain: the same input gives the same bytes, and rendering what was
// rendered changes nothing.
func unchangedAgain(t *testing.T, output []byte, documents []schema.Document, options gen.Options) {
	t.Helper()
	same, err := gen.New(documents, options).Stream()
	if err != nil || !bytes.Equal(output, same) {
		t.Errorf("another output from the same input: %v", err)
	}
	again, err := gen.New(check(t, output), options).Stream()
	if err != nil || !bytes.Equal(output, again) {
		t.Errorf("rendering the output changes it: %v", err)
	}
}
