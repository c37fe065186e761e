package schema

import "time"

// Exit codes of the read-back program that its Job acts on.
const (
	// ExitSuperseded says that another Plan is in force. The Job starts the program
	// again, later and later, and counts no failure: the Plan may come back before the
	// Job of the other one has taken over, and nobody else would carry it out then.
	ExitSuperseded = 3
	// ExitNoPolicy says that evicted pods came back without the overlay. The Job ends:
	// another run would evict them once more.
	ExitNoPolicy = 4
)

// ReadbackTimeout is how long the read-back program tries unless its flag says
// otherwise: 5 minutes and 1 more for each node. An operator's roll, which it may
// have to wait for, goes node by node. The rendered Job's own deadline is above it.
func ReadbackTimeout(nodes int) time.Duration { return time.Duration(5+nodes) * time.Minute }
