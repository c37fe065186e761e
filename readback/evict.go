package readback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
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
// API server; seen are one to two seconds. A pod evicted again before that would
// come back as it was.
const policyGrace = 10 * time.Second

// evictor puts pods right that were created before the policy was in force.
type evictor struct {
	*run
	count map[string]int       // of evictions, by node
	gone  map[types.UID]bool   // pods that were evicted
	last  map[string]time.Time // when the node's pod was evicted, by node
	said  string
}

// evict evicts at most one pod, and returns when that is done or cannot be done
// yet. The targets are all nodes, each with a pod that is Ready.
func (e *evictor) evict(ctx context.Context, seen sight) error {
	members, err := e.members(ctx, seen)
	if err != nil {
		return err
	}
	c := choose(members)
	if c.evict == nil {
		return e.later(ctx, c.reasons, c.blocked)
	}
	if e.count[c.evict.Name] >= mostEvictions {
		return &NoPolicyError{Pod: c.evict.Pod, Policy: schema.PolicyName(e.Plan.Namespace, e.Plan.Cluster)}
	}
	if wait := policyGrace - time.Since(e.last[c.evict.Name]); e.count[c.evict.Name] > 0 && wait > 0 {
		return e.later(ctx, []string{fmt.Sprintf("pod %s came back without its port: the policy to be in force", c.evict.Pod)}, nil)
	}
	if err := e.current(ctx); err != nil {
		return err
	}
	if c.by != nil {
		e.Log.Info("a primary hands over before its pod is evicted", "from", c.evict.Name, "to", c.by.Name)
		return e.takes(ctx, c.by)
	}
	return e.send(ctx, c.evict)
}

// look sees the nodes. A pod that was evicted is on its way out, also where the
// watch has not told so yet.
func (e *evictor) look() (sight, error) {
	seen, err := e.run.look()
	for _, t := range seen.targets {
		if e.gone[t.PodUID] {
			seen.reasons = append(seen.reasons, fmt.Sprintf("node %s has no pod yet", t.Name))
		}
	}
	return seen, err
}

// members has every node tell of itself.
func (e *evictor) members(ctx context.Context, seen sight) ([]member, error) {
	members := make([]member, len(seen.targets))
	var mu sync.Mutex
	err := each(ctx, e.Credentials, seen.targets, func(ctx context.Context, i int, n *node) error {
		m := member{Target: seen.targets[i], outdated: slices.Contains(seen.outdated, seen.targets[i].Pod)}
		if err := n.ask(ctx, &m); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		members[i] = m
		return nil
	})
	return members, err
}

// later waits a moment before the nodes are asked again: nobody tells of a change
// among them.
func (e *evictor) later(ctx context.Context, reasons, blocked []string) error {
	if reasons[0] != e.said {
		e.said = reasons[0]
		e.Log.Info("waiting before a pod is evicted", "for", e.said, "missing", len(reasons))
	}
	select {
	case <-time.After(again):
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return &TimeoutError{reasons, blocked}
		}
		return ctx.Err()
	}
}

// takes has a replica take over from its primary, in agreement with it: no write is
// lost. That it has is seen when the nodes are asked again.
func (e *evictor) takes(ctx context.Context, replica *member) error {
	return each(ctx, e.Credentials, []Target{replica.Target}, func(ctx context.Context, _ int, n *node) error {
		if err := n.client.Do(ctx, n.client.B().ClusterFailover().Build()).Error(); err != nil {
			return fmt.Errorf("CLUSTER FAILOVER: %w", err)
		}
		for {
			m := member{}
			if err := n.ask(ctx, &m); err != nil || m.primary {
				return err
			}
			select {
			case <-time.After(askAgain):
			case <-ctx.Done():
				return fmt.Errorf("CLUSTER FAILOVER: %w", ctx.Err())
			}
		}
	})
}

// send asks the API server to evict a pod. It refuses while a PodDisruptionBudget
// is used up.
func (e *evictor) send(ctx context.Context, m *member) error {
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
		e.count[m.Name]++
		e.last[m.Name] = time.Now()
		e.gone[uid] = true
		e.Log.Info("evicted a pod that was created before the policy was in force", "pod", m.Pod, "node", m.Name)
		return nil
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		return nil // it has gone by itself
	case apierrors.IsTooManyRequests(err):
		return e.later(ctx, []string{fmt.Sprintf("pod %s may not be evicted now: %v", m.Pod, err)}, []string{m.Pod})
	}
	return err
}
