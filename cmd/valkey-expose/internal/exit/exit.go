// Package exit says how a run ends: the exit codes, and the errors that choose
// between them. Any other error is one of the command line.
package exit

// The exit codes, as the reference lists them.
const (
	Done     = 0
	Rejected = 1 // the input was rejected or is out of date, or could not be read or written
	Misuse   = 2 // the command line was wrong
)

// RejectedError says that the input was rejected; why has been printed.
type RejectedError struct{}

func (RejectedError) Error() string { return "the input was rejected" }

// FailedError is an error of the world, not of the command line: a file that
// cannot be read or written.
type FailedError struct{ Err error }

func (e FailedError) Error() string { return e.Err.Error() }

func (e FailedError) Unwrap() error { return e.Err }
