package readback

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// settleTime is how long gossip may take to carry an announcement to every node:
// well above the half of the cluster-node-timeout (15 s) in which each node
// hears from each other.
const settleTime = 30 * time.Second

// pollInterval is how soon a node is asked again what it knows.
const pollInterval = 100 * time.Millisecond

// verify waits until every node reports what is wanted of every other. A node that
// is not known yet is the operator's affair and waited for until the deadline;
// what is reported wrong must be right after settleTime. Nodes of shards that the
// cluster gives up have as long, and no more is asked of them.
func (a *announcer) verify(ctx context.Context, want func(announcement) expectation) error {
	remaining := make([]int, len(a.targets))
	for i := range remaining {
		remaining[i] = i
	}
	wanted := func(t Target) expectation { return want(a.want(t)) }
	logged, settled := "", time.Now().Add(settleTime)
	for {
		found, differing, err := a.compareViews(ctx, remaining, wanted)
		if err != nil || len(differing) == 0 {
			return err
		}
		if err := a.changed(); err != nil {
			return err
		}
		switch late := time.Now().After(settled); {
		case len(found.unknown) > 0:
			settled = time.Now().Add(settleTime)
			if found.unknown[0] != logged {
				logged = found.unknown[0]
				a.log.Info("waiting", "for", logged, "missing", len(found.unknown))
			}
		case late && len(found.wrong) > 0:
			return &MismatchError{found.wrong}
		case late:
			a.log.Warn("not verified for draining shards", "what", firstFew(found.leaving))
			return nil
		}
		remaining = differing
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return &TimeoutError{Reasons: slices.Concat(found.unknown, found.wrong, found.leaving)}
			}
			return ctx.Err()
		}
	}
}

// compareViews reads the views of some targets. Differing are those whose
// view lacks something.
func (a *announcer) compareViews(ctx context.Context, remaining []int, want func(Target) expectation) (found differences, differing []int, err error) {
	asked := make([]Target, len(remaining))
	for i, index := range remaining {
		asked[i] = a.targets[index]
	}
	var mu sync.Mutex
	err = forEachNode(ctx, a.credentials, asked, func(ctx context.Context, i int, c *connection) error {
		view, err := c.view(ctx)
		if err != nil {
			return err
		}
		d := compareView(asked[i], view, a.targets, want)
		mu.Lock()
		defer mu.Unlock()
		found.add(d)
		if d.count() > 0 {
			differing = append(differing, remaining[i])
		}
		return nil
	})
	slices.Sort(found.unknown)
	slices.Sort(found.wrong)
	slices.Sort(found.leaving)
	slices.Sort(differing)
	return found, differing, err
}
