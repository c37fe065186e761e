package readback

import (
	"context"
	"log/slog"
	"slices"
)

// announcer sets what the nodes announce.
type announcer struct {
	credentials Credentials
	log         *slog.Logger
	targets     []Target
	want        func(Target) announcement

	// have are the settings of each target when it was inspected.
	have []map[string]string

	// changed returns an error if the targets are not the cluster's pods any more, or
	// the Plan not the cluster's; current asks the latter.
	changed func() error
	current func(context.Context) error
}

// inspect reads all nodes' settings. After it every node is known to answer, to
// accept the credentials and to be new enough.
func (a *announcer) inspect(ctx context.Context) error {
	a.have = make([]map[string]string, len(a.targets))
	unreadable := make([]bool, len(a.targets))
	err := forEachNode(ctx, a.credentials, a.targets, func(ctx context.Context, i int, c *connection) (err error) {
		if err := c.atLeast9(ctx); err != nil {
			return err
		}
		a.have[i], err = c.settings(ctx)
		unreadable[i] = err == nil && a.have[i] == nil
		return err
	})
	if slices.Contains(unreadable, true) {
		a.log.Warn("settings may not be read: all are set", "user", a.credentials.Username)
	}
	return err
}

// announce sets what differs, step by step, and returns when every node reports it
// of every other.
func (a *announcer) announce(ctx context.Context) (err error) {
	if a.changes() || a.pingIntervalLeftShort() {
		if err := a.current(ctx); err != nil {
			return err
		}
		defer func() {
			if undo := a.restorePingInterval(ctx); undo != nil && err == nil {
				err = undo
			} else if undo != nil {
				// What the run ended with is the news.
				a.log.Warn("the ping interval was not put back", "because", undo)
			}
		}()
	}
	if a.changes() {
		if err := a.shortenPingInterval(ctx); err != nil {
			return err
		}
	}
	toHostnames := slices.ContainsFunc(a.targets, func(t Target) bool { return a.want(t).prefersHostname })
	for _, s := range steps(toHostnames) {
		// A node that prefers hostnames answers "?" for one whose hostname it has
		// not heard yet.
		if toHostnames && s.name == setRoute.name {
			if err := a.verify(ctx, hostnamesView); err != nil {
				return err
			}
		}
		if err := a.apply(ctx, s); err != nil {
			return err
		}
	}
	return a.verify(ctx, announcedView)
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

// apply does one step on all nodes. Once begun it is done whole, also when the
// program is being stopped.
func (a *announcer) apply(ctx context.Context, s step) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	changed := a.changing(s)
	if changed > 0 {
		if err := a.current(ctx); err != nil {
			return err
		}
		err := forEachNode(context.WithoutCancel(ctx), a.credentials, a.targets, func(ctx context.Context, i int, c *connection) error {
			settings := differing(a.have[i], s.want(a.want(a.targets[i])))
			if len(settings) == 0 {
				return nil
			}
			if err := c.set(ctx, settings); err != nil {
				return err
			}
			attributes := []any{"node", a.targets[i].Name}
			for _, s := range settings {
				attributes = append(attributes, s.Name, s.Value)
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
