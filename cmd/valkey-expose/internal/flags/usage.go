package flags

import "strings"

// described is a value of a flag as its usage has it: with what it is, unless the
// name says so.
func described(value, what string) string {
	if what == "" {
		return value
	}
	return value + " (" + what + ")"
}

// either lists values of which one is chosen.
func either(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
