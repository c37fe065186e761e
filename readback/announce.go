package readback

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// settleTime is how long gossip may take to carry an announcement to every node:
// well above the half of the cluster-node-timeout (15 s) in which each node
// hears from each other.
const settleTime = 30 * time.Second

// askAgain is how soon a node is asked again what it knows.
const askAgain = 100 * time.Millisecond

// announcer sets what the nodes announce.
type announcer struct {
	credentials Credentials
	log         *slog.Logger
	targets     []Target
	want        func(Target) announcement

	// have are the settings of each target when it was inspected.
	have []map[string]string

	// changed is an error if the targets are not the cluster's pods any more, or
	// the Plan not the cluster's; current asks the latter.
	changed func() error
	current func(context.Context) error
}

// inspect reads all nodes' settings. After it every node is known to answer, to
// accept the credentials and to be new enough.
func (a *announcer) inspect(ctx context.Context) error {
	a.have = make([]map[string]string, len(a.targets))
	unreadable := make([]bool, len(a.targets))
	err := each(ctx, a.credentials, a.targets, func(ctx context.Context, i int, n *node) (err error) {
		if err := n.atLeast9(ctx); err != nil {
			return err
		}
		a.have[i], err = n.settings(ctx)
		unreadable[i] = err == nil && a.have[i] == nil
		return err
	})
	if slices.Contains(unreadable, true) {
		a.log.Warn("settings may not be read: all are set", "user", a.credentials.Username)
	}
	return err
}

// announce sets what differs, step by step, and returns when every node tells it
// of every other.
func (a *announcer) announce(ctx context.Context) (err error) {
	if a.changes() || a.leftShort() {
		if err := a.current(ctx); err != nil {
			return err
		}
		defer func() {
			if undo := a.calm(ctx); undo != nil && err == nil {
				err = undo
			} else if undo != nil {
				// What the run ended with is the news.
				a.log.Warn("the ping interval was not put back", "because", undo)
			}
		}()
	}
	if a.changes() {
		if err := a.hurry(ctx); err != nil {
			return err
		}
	}
	toHostnames := slices.ContainsFunc(a.targets, func(t Target) bool { return a.want(t).prefersHostname })
	for _, s := range steps(toHostnames) {
		// A node that prefers hostnames answers "?" for one whose hostname it has
		// not heard yet.
		if toHostnames && s.name == setRoute.name {
			if err := a.told(ctx, named); err != nil {
				return err
			}
		}
		if err := a.take(ctx, s); err != nil {
			return err
		}
	}
	return a.told(ctx, finally)
}

// changes reports whether any node announces something else.
func (a *announcer) changes() bool {
	return a.changing(setNames)+a.changing(setRoute) > 0
}

// changing counts the nodes that a step changes.
func (a *announcer) changing(s step) (n int) {
	for i, t := range a.targets {
		if len(differing(a.have[i], s.want(a.want(t)))) > 0 {
			n++
		}
	}
	return n
}

// take does one step on all nodes. Once begun it is done whole, also when the
// program is told to stop.
func (a *announcer) take(ctx context.Context, s step) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	changed := a.changing(s)
	if changed > 0 {
		if err := a.current(ctx); err != nil {
			return err
		}
		err := each(context.WithoutCancel(ctx), a.credentials, a.targets, func(ctx context.Context, i int, n *node) error {
			settings := differing(a.have[i], s.want(a.want(a.targets[i])))
			if len(settings) == 0 {
				return nil
			}
			if err := n.set(ctx, settings); err != nil {
				return err
			}
			attributes := []any{"node", a.targets[i].Name}
			for _, s := range settings {
				attributes = append(attributes, s.name, s.value)
			}
			a.log.Info("announced", attributes...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	a.log.Info("step done", "step", s.name, "changed", changed)
	return ctx.Err()
}

// told waits until every node tells what is wanted of every other. A node that
// is not known yet is the operator's affair and waited for until the deadline;
// what is told wrong must be right after settleTime. Nodes of shards that the
// cluster gives up have as long, and no more is asked of them.
func (a *announcer) told(ctx context.Context, want func(announcement) expectation) error {
	remaining := make([]int, len(a.targets))
	for i := range remaining {
		remaining[i] = i
	}
	wanted := func(t Target) expectation { return want(a.want(t)) }
	said, settled := "", time.Now().Add(settleTime)
	for {
		found, again, err := a.ask(ctx, remaining, wanted)
		if err != nil || len(again) == 0 {
			return err
		}
		if err := a.changed(); err != nil {
			return err
		}
		switch late := time.Now().After(settled); {
		case len(found.unknown) > 0:
			settled = time.Now().Add(settleTime)
			if found.unknown[0] != said {
				said = found.unknown[0]
				a.log.Info("waiting", "for", said, "missing", len(found.unknown))
			}
		case late && len(found.wrong) > 0:
			return &MismatchError{found.wrong}
		case late:
			a.log.Warn("not verified of shards that are given up", "what", some(found.leaving))
			return nil
		}
		remaining = again
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return &TimeoutError{Reasons: slices.Concat(found.unknown, found.wrong, found.leaving)}
			}
			return ctx.Err()
		}
	}
}

// ask reads the views of some targets. Again are those that lack something.
func (a *announcer) ask(ctx context.Context, remaining []int, want func(Target) expectation) (found differences, again []int, err error) {
	asked := make([]Target, len(remaining))
	for i, index := range remaining {
		asked[i] = a.targets[index]
	}
	var mu sync.Mutex
	err = each(ctx, a.credentials, asked, func(ctx context.Context, i int, n *node) error {
		view, err := n.view(ctx)
		if err != nil {
			return err
		}
		d := compareView(asked[i], view, a.targets, want)
		mu.Lock()
		defer mu.Unlock()
		found.add(d)
		if d.count() > 0 {
			again = append(again, remaining[i])
		}
		return nil
	})
	slices.Sort(found.unknown)
	slices.Sort(found.wrong)
	slices.Sort(found.leaving)
	slices.Sort(again)
	return found, again, err
}
