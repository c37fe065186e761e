package flags

// described is a value of a flag as its usage has it: with what it is, unless the
// name says so.
func described(value, what string) string {
	if what == "" {
		return value
	}
	return value + " (" + what + ")"
}
