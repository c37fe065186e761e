package readback

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// withPods adds to every target its pod, which must be Ready and, if it must have the
// overlay, carry the port by which it is known. A node of a shard that the cluster gives up has none
// otherwise, and that is all. Outdated are pods that are Ready, and marked, without
// the port: they were created before the policy was in force, and no waiting
// mends that.
func withPods(targets []Target, pods []*corev1.Pod, overlay bool) (ready []Target, reasons, outdated []string) {
	byNode := map[[2]string][]*corev1.Pod{}
	for _, p := range pods {
		if p.DeletionTimestamp == nil {
			node := [2]string{p.Labels[schema.ShardLabel], p.Labels[schema.NodeLabel]}
			byNode[node] = append(byNode[node], p)
		}
	}
	complete := func(p *corev1.Pod, t Target) bool { return !overlay || hasPort(p, t.PortName) }
	ready = slices.Clone(targets)
	for i, t := range targets {
		found := byNode[[2]string{strconv.Itoa(t.Shard), strconv.Itoa(t.Index)}]
		if t.Draining && (len(found) != 1 || !isReady(found[0]) || !complete(found[0], t)) {
			continue
		}
		switch {
		case len(found) == 0:
			reasons = append(reasons, fmt.Sprintf("node %s has no pod yet", t.Name))
			continue
		case len(found) > 1:
			reasons = append(reasons, fmt.Sprintf("node %s has %d pods: one is being replaced", t.Name, len(found)))
			continue
		case !isReady(found[0]):
			reasons = append(reasons, fmt.Sprintf("pod %s is not Ready", found[0].Name))
		case complete(found[0], t):
		case isMarked(found[0]):
			outdated = append(outdated, found[0].Name)
		default:
			reasons = append(reasons, fmt.Sprintf("pod %s has no port %s: it has not been rolled yet", found[0].Name, t.PortName))
		}
		ready[i].Pod, ready[i].PodUID, ready[i].PodIP = found[0].Name, found[0].UID, found[0].Status.PodIP
	}
	return ready, reasons, outdated
}

// isMarked reports a pod that was created since external access is on.
func isMarked(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool {
		return c.Name == schema.ServerContainer && slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == schema.Marker })
	})
}

// present are the nodes of all shards but those that the cluster gives up and that
// have no pod any more.
func present(nodes []schema.Node, pods []*corev1.Pod) []schema.Node {
	shards := map[string]bool{}
	for _, p := range pods {
		if p.DeletionTimestamp == nil {
			shards[p.Labels[schema.ShardLabel]] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(n schema.Node) bool { return n.Draining && !shards[strconv.Itoa(n.Shard)] })
}

// running are the targets that have a pod to talk to: all but those of shards that
// the cluster gives up whose pod is not there or not as it shall be.
func running(targets []Target) []Target {
	return slices.DeleteFunc(slices.Clone(targets), func(t Target) bool { return t.PodIP == "" })
}

func hasPort(p *corev1.Pod, name string) bool {
	return slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Ports, func(port corev1.ContainerPort) bool { return port.Name == name })
	})
}

func isReady(p *corev1.Pod) bool {
	return p.Status.PodIP != "" && slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// anyPods are the pods of a cluster as they are, in the order of their nodes,
// and those of them that are not Ready.
func anyPods(pods []*corev1.Pod) (targets []Target, reasons []string) {
	for _, p := range pods {
		if p.DeletionTimestamp != nil {
			continue
		}
		if !isReady(p) {
			reasons = append(reasons, fmt.Sprintf("pod %s is not Ready", p.Name))
		}
		shard, _ := strconv.Atoi(p.Labels[schema.ShardLabel])
		index, _ := strconv.Atoi(p.Labels[schema.NodeLabel])
		targets = append(targets, Target{
			Node: schema.Node{Shard: shard, Index: index, Name: p.Name}, Pod: p.Name, PodIP: p.Status.PodIP,
		})
	}
	slices.SortFunc(targets, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Index, b.Index), strings.Compare(a.Pod, b.Pod))
	})
	slices.Sort(reasons)
	return targets, reasons
}
