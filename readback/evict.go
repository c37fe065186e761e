package readback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/schema"
)

// mostEvictions is how often the pod of one node is evicted. One that comes back
// twice without the overlay comes back so for ever.
const mostEvictions = 2

// policyGrace is how long a policy that was just applied may be unknown to some
// API server; seen are one to two seconds. A pod that came back without the overlay
// is evicted again after that, or it would come back as it was once more. Nothing
// reports when a policy is in force, so it is a time.
const policyGrace = 10 * time.Second

// evictor puts pods right that were created before the policy was in force.
type evictor struct {
	*run
	past       map[string]evictions // by node
	evicted    map[types.UID]bool   // pods that were evicted
	lastReason string               // that was logged
}

// evictions are those of one node's pods.
type evictions struct {
	count int
	back  time.Time // when the last one's successor was seen to lack the overlay too
}

// evict evicts at most one pod, and returns when that is done or cannot be done
// yet. The targets are all nodes, each with a pod that is Ready.
func (e *evictor) evict(ctx context.Context, seen observed) error {
	members, err := e.members(ctx, seen)
	var transient *transientError
	if errors.As(err, &transient) {
		return e.retryLater(ctx, seen, transient.reasons)
	}
	if err != nil {
		return err
	}
	c := choose(members)
	if c.evict == nil {
		return e.retryLater(ctx, seen, c.reasons, c.blocked...)
	}
	past := e.past[c.evict.Name]
	if past.count > 0 && past.back.IsZero() {
		past.back = time.Now()
		e.past[c.evict.Name] = past
	}
	switch {
	case past.count >= mostEvictions:
		return &NoPolicyError{Pod: c.evict.Pod, Policy: schema.PolicyName(e.Plan.Namespace, e.Plan.Cluster)}
	case past.count > 0 && time.Since(past.back) < policyGrace:
		return e.retryLater(ctx, seen, []string{fmt.Sprintf("the policy to be in force: pod %s came back without its port", c.evict.Pod)})
	}
	if err := e.current(ctx); err != nil {
		return err
	}
	if c.by == nil {
		return e.evictPod(ctx, seen, c.evict)
	}
	e.Log.Info("a primary hands over before its pod is evicted", "from", c.evict.Name, "to", c.by.Name)
	err = e.failOver(ctx, c.by)
	if errors.As(err, &transient) {
		return e.retryLater(ctx, seen, transient.reasons)
	}
	return err
}

// observe is the run's, but for pods that were evicted: they are on their way out, also
// where the watch has not seen it yet.
func (e *evictor) observe() (observed, error) {
	seen, err := e.run.observe()
	for _, t := range seen.targets {
		if e.evicted[t.PodUID] {
			seen.reasons = append(seen.reasons, fmt.Sprintf("node %s has no pod yet", t.Name))
		}
	}
	return seen, err
}

// members asks every node for its state, but for draining ones: they hand over all
// they have, and go by themselves.
func (e *evictor) members(ctx context.Context, seen observed) ([]member, error) {
	targets := slices.DeleteFunc(slices.Clone(seen.targets), func(t Target) bool { return t.Draining })
	members := make([]member, len(targets))
	err := forEachNode(ctx, e.Credentials, targets, func(ctx context.Context, i int, c *connection) error {
		members[i] = member{Target: targets[i], outdated: slices.Contains(seen.outdated, targets[i].Pod)}
		return c.readMember(ctx, &members[i])
	})
	return members, err
}

// retryLater waits a moment before the nodes are asked again: no watch shows a change
// among them. At the deadline it says of each pod what stood in the way. Blocked are
// those that no waiting lets go.
func (e *evictor) retryLater(ctx context.Context, seen observed, reasons []string, blocked ...string) error {
	if reasons[0] != e.lastReason {
		e.lastReason = reasons[0]
		e.Log.Info("waiting before a pod is evicted", "for", e.lastReason, "missing", len(reasons))
	}
	select {
	case <-time.After(retryInterval):
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return &TimeoutError{notEvicted(seen.outdated, reasons, blocked), blocked}
		}
		return ctx.Err()
	}
}

// notEvicted says why each pod was not evicted. The reasons are about the blocked
// pods, if there are any: then nothing else stands in the way.
func notEvicted(outdated, reasons, blocked []string) []string {
	if len(blocked) > 0 {
		return reasons
	}
	all := make([]string, len(outdated))
	for i, pod := range outdated {
		all[i] = fmt.Sprintf("pod %s was created before the policy was in force; before it is evicted, it waits for %s", pod, firstFew(reasons))
	}
	return all
}

// failOver has a replica take over from its primary, in agreement with it: no write is
// lost. That it has is seen when the nodes are asked again.
func (e *evictor) failOver(ctx context.Context, replica *member) error {
	return forEachNode(ctx, e.Credentials, []Target{replica.Target}, func(ctx context.Context, _ int, c *connection) error {
		err := c.client.Do(ctx, c.client.B().ClusterFailover().Build()).Error()
		if answerCode(err) == "ERR" {
			// It is the primary by now, or has lost the other.
			return &transientError{[]string{fmt.Sprintf("CLUSTER FAILOVER: %v", err)}}
		}
		if err != nil {
			return fmt.Errorf("CLUSTER FAILOVER: %w", err)
		}
		for {
			m := member{}
			if err := c.readMember(ctx, &m); err != nil || m.primary {
				return err
			}
			select {
			case <-time.After(pollInterval):
			case <-ctx.Done():
				return fmt.Errorf("CLUSTER FAILOVER: %w", ctx.Err())
			}
		}
	})
}

// evictPod asks the API server to evict a pod. It refuses while a PodDisruptionBudget
// is used up.
func (e *evictor) evictPod(ctx context.Context, seen observed, m *member) error {
	uid := m.PodUID
	body, err := json.Marshal(&policyv1.Eviction{
		TypeMeta:      metav1.TypeMeta{APIVersion: policyv1.SchemeGroupVersion.String(), Kind: "Eviction"},
		ObjectMeta:    metav1.ObjectMeta{Name: m.Pod, Namespace: e.Plan.Namespace},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}},
	})
	if err != nil {
		return fmt.Errorf("writing an eviction: %w", err)
	}
	err = e.writer.once(ctx, "evicting pod "+m.Pod, func() error {
		return e.writer.client.Post().Namespace(e.Plan.Namespace).Resource("pods").Name(m.Pod).SubResource("eviction").
			SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
	})
	switch {
	case err == nil:
		e.past[m.Name] = evictions{count: e.past[m.Name].count + 1}
		e.evicted[uid] = true
		e.Log.Info("evicted a pod that was created before the policy was in force", "pod", m.Pod, "node", m.Name)
		return nil
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		return nil // it has gone by itself
	case apierrors.IsTooManyRequests(err):
		return e.retryLater(ctx, seen, []string{fmt.Sprintf("the API server to let pod %s go: %v", m.Pod, err)})
	}
	return err
}
