package readback

import (
	"context"
	"strconv"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Gossip carries an announcement: each node pings one other every
// pingInterval milliseconds, so that with the default of Valkey it takes seconds
// until all have it from all, and redirects are wrong so long. While something
// is announced they ping as often as Valkey can. The setting is hidden, is not in
// every version of Valkey, and goes with a restart.
const (
	pingInterval  = "cluster-ping-interval"
	usualInterval = 0   // Valkey's default: it decides
	shortInterval = 100 // Valkey looks ten times a second
)

// usual is the ping interval that a node is to have in the end. A short one is
// what a run left behind that was killed.
func usual(have map[string]string) (interval int, known bool) {
	interval, err := strconv.Atoi(have[pingInterval])
	if interval == shortInterval {
		interval = usualInterval
	}
	return interval, err == nil
}

// shortenPingInterval makes the nodes ping often, for the time of the announcement.
func (a *announcer) shortenPingInterval(ctx context.Context) error {
	return a.setPingInterval(ctx, func(int) int { return shortInterval })
}

// restorePingInterval undoes it, also when the run has failed or is being stopped.
func (a *announcer) restorePingInterval(ctx context.Context) error {
	return a.setPingInterval(context.WithoutCancel(ctx), func(usual int) int { return usual })
}

func (a *announcer) setPingInterval(ctx context.Context, of func(usual int) int) error {
	return forEachNode(ctx, a.credentials, a.targets, func(ctx context.Context, i int, c *connection) error {
		interval, known := usual(a.have[i])
		if !known {
			return nil
		}
		return c.set(ctx, []schema.Setting{{Name: pingInterval, Value: strconv.Itoa(of(interval))}})
	})
}

// pingIntervalLeftShort reports whether a killed run left a node with the short interval.
func (a *announcer) pingIntervalLeftShort() bool {
	for _, have := range a.have {
		if have[pingInterval] == strconv.Itoa(shortInterval) {
			return true
		}
	}
	return false
}
