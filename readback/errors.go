package readback

import (
	"fmt"
	"strings"
)

// TimeoutError is the end of the program's time.
type TimeoutError struct {
	Reasons []string // what it still waited for

	// Lacking are pods that were created before the policy was in force, and that
	// no waiting lets go: each holds the only copy of its shard's data.
	Lacking []string
}

func (e *TimeoutError) Error() string { return "timed out: " + firstFew(e.Reasons) }

// firstFew is the text of the first few reasons.
func firstFew(reasons []string) string {
	const few = 5
	if len(reasons) <= few {
		return strings.Join(reasons, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(reasons[:few], "; "), len(reasons)-few)
}

// SupersededError says that another Plan is the cluster's by now.
type SupersededError struct{ Reason string }

func (e *SupersededError) Error() string { return "superseded: " + e.Reason }

// NoPolicyError says that a pod came back from its evictions without the overlay.
type NoPolicyError struct{ Pod, Policy string }

func (e *NoPolicyError) Error() string {
	return fmt.Sprintf("the policy is not in force: pod %s came back without its port %d times", e.Pod, mostEvictions)
}

// MismatchError lists where nodes report something else than was announced.
type MismatchError struct{ Differences []string }

func (e *MismatchError) Error() string {
	return "the nodes do not report what was announced: " + firstFew(e.Differences)
}

// transientError is something that may be over in a moment: all is tried again
// until the deadline.
type transientError struct{ reasons []string }

func (e *transientError) Error() string { return firstFew(e.reasons) }
