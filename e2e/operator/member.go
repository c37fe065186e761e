package operator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// member is a node that runs, as it tells of itself.
type member struct {
	Node
	pod    *corev1.Pod
	client valkey.Client
	me     seenNode
	view   view
	synced bool // is a primary, or follows one
	ok     bool // sees a whole cluster
}

// view is a node's own picture of the cluster.
type view []seenNode

// seenNode is a line of CLUSTER NODES.
type seenNode struct {
	id, address, flags, primary string
	slots                       []string
}

func parseView(text string) (v view, err error) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 8 {
			return nil, fmt.Errorf("CLUSTER NODES: %q", line)
		}
		v = append(v, seenNode{id: f[0], address: f[1], flags: f[2], primary: f[3], slots: f[8:]})
	}
	return v, nil
}

func (n seenNode) ip() string { ip, _, _ := strings.Cut(n.address, ":"); return ip }

// primaryOf is the name of the node that a node follows, or its own.
func (v view) primaryOf(n seenNode) string {
	if n.primary != "-" {
		return n.primary
	}
	return n.id
}

func (v view) knows(id string) bool {
	return slices.ContainsFunc(v, func(n seenNode) bool { return n.id == id && !strings.Contains(n.flags, "handshake") })
}

// members asks every node of the cluster whose pod is Ready.
func (c *Cluster) members(ctx context.Context) (members []*member, err error) {
	pods, err := c.pods(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range pods {
		if !bed.IsReady(&p) {
			continue
		}
		m := &member{pod: &p}
		if _, err := fmt.Sscan(p.Labels["valkey.io/shard-index"]+" "+p.Labels["valkey.io/node-index"], &m.Shard, &m.Index); err != nil {
			return nil, fmt.Errorf("pod %s: %w", p.Name, err)
		}
		members = append(members, m)
		if err := c.meetMember(ctx, m); err != nil {
			closeAll(members)
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return members, nil
}

func (c *Cluster) pods(ctx context.Context) ([]corev1.Pod, error) {
	pods, err := c.b.Kube().CoreV1().Pods(c.Namespace).List(ctx, metav1.ListOptions{
		LabelSelector: "app.kubernetes.io/component=valkey-node,valkey.io/cluster=" + c.Name,
	})
	if err != nil {
		return nil, err
	}
	return pods.Items, nil
}

// meetMember connects to a node and hears what it has to say.
func (c *Cluster) meetMember(ctx context.Context, m *member) (err error) {
	options := valkey.ClientOption{
		InitAddress: []string{net.JoinHostPort(m.pod.Status.PodIP, "6379")}, ForceSingleClient: true,
		// With RESP3, what CLUSTER NODES answers begins with its format.
		AlwaysRESP2: true, DisableCache: true, DisableRetry: true, ConnWriteTimeout: 2 * time.Second, Dialer: net.Dialer{Timeout: time.Second},
	}
	if c.Spec.certificate() != "" {
		// No certificate carries a pod's address.
		options.TLSConfig = &tls.Config{InsecureSkipVerify: true}
	}
	if m.client, err = valkey.NewClient(options); err != nil {
		return err
	}
	text, err := m.ask(ctx, "CLUSTER", "NODES")
	if err != nil {
		return err
	}
	if m.view, err = parseView(text); err != nil {
		return err
	}
	for _, n := range m.view {
		if strings.Contains(n.flags, "myself") {
			m.me = n
		}
	}
	replication, err := m.ask(ctx, "INFO", "replication")
	if err != nil {
		return err
	}
	m.synced = strings.Contains(replication, "role:master") || strings.Contains(replication, "master_link_status:up")
	info, err := m.ask(ctx, "CLUSTER", "INFO")
	m.ok = strings.Contains(info, "cluster_state:ok")
	return err
}

func (m *member) ask(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	answer := m.client.Do(ctx, m.client.B().Arbitrary(args...).Build())
	if err := answer.Error(); err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	if text, err := answer.ToString(); err == nil {
		return text, nil
	}
	message, err := answer.ToMessage()
	return message.String(), err
}

func closeAll(members []*member) {
	for _, m := range members {
		if m.client != nil {
			m.client.Close()
		}
	}
}

func find(members []*member, n Node) *member {
	for _, m := range members {
		if m.Node == n {
			return m
		}
	}
	return nil
}

var errNotAll = errors.New("not every node runs")
