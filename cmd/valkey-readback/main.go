// Valkey-readback is the program of the read-back Job: it records where clients
// outside reach each node of a Valkey cluster and announces it to the nodes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// version is set at build time.
var version = "devel"

func main() {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the program at once
		stop(signalError{s.(syscall.Signal)})
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// signalError is why the program stops.
type signalError struct{ signal syscall.Signal }

func (e signalError) Error() string { return "stopped by signal: " + e.signal.String() }
