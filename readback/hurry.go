package readback

import (
	"context"
	"strconv"
)

// Nodes hear of an announcement by gossip: each pings one other node every
// pingInterval milliseconds, so that with the default of Valkey it takes seconds
// until all have heard from all, and redirects are wrong so long. While something
// is announced they ping as often as Valkey can. The setting is hidden, is not in
// every version of Valkey, and goes with a restart.
const (
	pingInterval  = "cluster-ping-interval"
	usualInterval = 0   // Valkey's default: it decides
	shortInterval = 100 // Valkey looks ten times a second
)

// usual is the ping interval that a node shall have in the end. A short one is
// what a run left behind that was killed.
func usual(have map[string]string) (interval int, known bool) {
	interval, err := strconv.Atoi(have[pingInterval])
	if interval == shortInterval {
		interval = usualInterval
	}
	return interval, err == nil
}

// hurry makes the nodes ping often.
func (a *announcer) hurry(ctx context.Context) error {
	return a.interval(ctx, func(int) int { return shortInterval })
}

// calm undoes hurry, also when the run has failed or been told to stop.
func (a *announcer) calm(ctx context.Context) error {
	return a.interval(context.WithoutCancel(ctx), func(usual int) int { return usual })
}

func (a *announcer) interval(ctx context.Context, of func(usual int) int) error {
	return each(ctx, a.credentials, a.targets, func(ctx context.Context, i int, n *node) error {
		interval, known := usual(a.have[i])
		if !known {
			return nil
		}
		return n.set(ctx, []setting{{pingInterval, strconv.Itoa(of(interval))}})
	})
}

// leftShort tells of a node that a killed run left in a hurry.
func (a *announcer) leftShort() bool {
	for _, have := range a.have {
		if have[pingInterval] == strconv.Itoa(shortInterval) {
			return true
		}
	}
	return false
}
