//go:build !man

// Valkey-expose makes the nodes of a ValkeyCluster reachable from outside
// Kubernetes: it checks the cluster's externalAccess block and renders the
// static manifests that follow from it.
package main

import (
	"context"
	"os"
	"runtime/debug"
)

func main() {
	// A run is short and its garbage is small: collected less often, it takes
	// much less time (make bench). A large input's is not: from 300 MiB on it is
	// collected as it comes.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(300 << 20)
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
