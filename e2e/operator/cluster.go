package operator

import (
	"cmp"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// Workload kinds of a ValkeyCluster.
const (
	StatefulSet = "StatefulSet"
	Deployment  = "Deployment"
)

// A Cluster is the operator's view of one ValkeyCluster.
type Cluster struct {
	b         *bed.Bed
	Name      string
	Namespace string
	Spec      Spec
	// SidecarFirst puts metrics-exporter before server instead of behind it.
	SidecarFirst bool
}

// Spec is what the stand-in reads.
type Spec struct {
	Shards       int               `json:"shards"`
	Replicas     int               `json:"replicas"`
	WorkloadType string            `json:"workloadType"`
	Config       map[string]string `json:"config"`
	Containers   []map[string]any  `json:"containers"`

	TLS        certificates `json:"tls"` // as the operator's 0.4 has it
	Networking struct {
		TLS certificates `json:"tls"`
	} `json:"networking"`
}

// certificates names the Secret of a cluster with TLS, as the operator's 0.4 and
// 0.5 and its main branch have it.
type certificates struct {
	Certificate  secretRef `json:"certificate"`
	Certificates struct {
		Server secretRef `json:"server"`
	} `json:"certificates"`
}

type secretRef struct {
	SecretName string `json:"secretName"`
}

// certificate is the Secret with ca.crt, tls.crt and tls.key; "" without TLS.
func (s *Spec) certificate() string {
	return cmp.Or(s.Networking.TLS.Certificates.Server.SecretName, s.Networking.TLS.Certificate.SecretName, s.TLS.Certificate.SecretName)
}

// A Node is one Valkey process of the cluster.
type Node struct{ Shard, Index int }

// For reads the ValkeyCluster of the test's namespace. Up or Run acts on it.
func For(b *bed.Bed, name string) *Cluster {
	b.T.Helper()
	c := &Cluster{b: b, Name: name, Namespace: b.Namespace}
	c.read()
	return c
}

// read takes the spec from the API server.
func (c *Cluster) read() {
	c.b.T.Helper()
	if err := c.readSpec(c.b.T.Context()); err != nil {
		c.b.T.Fatalf("reading the ValkeyCluster: %v", err)
	}
	if c.Spec.certificate() != "" {
		// Valkey-cli dials pods by their IP, which no certificate carries.
		c.b.ValkeyFlags = []string{"--tls", "--insecure"}
	}
}

func (c *Cluster) readSpec(ctx context.Context) error {
	got, err := c.b.Dynamic().Resource(ValkeyClusters).Namespace(c.Namespace).Get(ctx, c.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	var typed struct {
		Spec Spec `json:"spec"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(got.Object, &typed); err != nil {
		return err
	}
	c.Spec = typed.Spec
	return nil
}

// Nodes are all nodes, shard by shard.
func (c *Cluster) Nodes() []Node {
	var nodes []Node
	for shard := range c.Spec.Shards {
		for index := range c.Spec.Replicas + 1 {
			nodes = append(nodes, Node{shard, index})
		}
	}
	return nodes
}

// instance is the name of the operator's ValkeyNode.
func (c *Cluster) instance(n Node) string { return fmt.Sprintf("%s-%d-%d", c.Name, n.Shard, n.Index) }

// workload is the name of the node's StatefulSet or Deployment.
func (c *Cluster) workload(n Node) string { return "valkey-" + c.instance(n) }

func (c *Cluster) labels(n Node) map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "valkey",
		"app.kubernetes.io/instance":   c.instance(n),
		"app.kubernetes.io/component":  "valkey-node",
		"app.kubernetes.io/part-of":    "valkey",
		"app.kubernetes.io/managed-by": "valkey-operator",
		"valkey.io/cluster":            c.Name,
		"valkey.io/shard-index":        fmt.Sprint(n.Shard),
		"valkey.io/node-index":         fmt.Sprint(n.Index),
	}
}

// Pod returns a node's pod. It must have exactly one.
func (c *Cluster) Pod(n Node) *corev1.Pod {
	c.b.T.Helper()
	pods, err := c.b.Kube().CoreV1().Pods(c.Namespace).List(c.b.T.Context(), metav1.ListOptions{
		LabelSelector: metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: c.labels(n)}),
	})
	if err != nil {
		c.b.T.Fatal(err)
	}
	var alive []corev1.Pod
	for _, p := range pods.Items {
		if p.DeletionTimestamp == nil {
			alive = append(alive, p)
		}
	}
	if len(alive) != 1 {
		c.b.T.Fatalf("node %s has %d pods", c.instance(n), len(alive))
	}
	return &alive[0]
}

// Valkey sends a command to a node and returns the answer.
func (c *Cluster) Valkey(n Node, args ...string) string {
	c.b.T.Helper()
	return c.b.Valkey(c.Pod(n).Name, args...)
}
