package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"k8s.io/klog/v2"

	"github.com/valkey-expose/valkey-expose/readback"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Exit codes. One that a signal stopped has 128 and the signal's number.
const (
	exitDone       = 0
	exitFailed     = 1
	exitMisuse     = 2
	exitSuperseded = schema.ExitSuperseded
	exitNoPolicy   = schema.ExitNoPolicy
	exitTimedOut   = 124
)

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, set, err := parse(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "valkey-readback: error: %v\nvalkey-readback: hint: see valkey-readback --help\n", err)
		return exitMisuse
	case f.help:
		fmt.Fprint(stdout, usage, set.FlagUsages())
		return exitDone
	case f.version:
		fmt.Fprintln(stdout, "valkey-readback", version)
		return exitDone
	}
	log := logger(f.logFormat, stderr)
	o, err := f.options()
	if err == nil {
		o.Log, o.Out = log, stdout
		log.Info("read the plan", "cluster", o.Plan.Cluster, "namespace", o.Plan.Namespace, "nodes", len(o.Plan.Nodes),
			"preferredEndpointType", o.Plan.PreferredEndpointType, "timeout", o.Timeout)
		err = readback.Run(ctx, o)
	}
	return report(ctx, log, err)
}

// logger writes to w. Client-go is silent.
func logger(format string, w io.Writer) *slog.Logger {
	log := slog.New(slog.NewTextHandler(w, nil))
	if format == "json" {
		log = slog.New(slog.NewJSONHandler(w, nil))
	}
	// Why a request fails is in this program's own lines.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	return log
}

// report says how the run ended.
func report(ctx context.Context, log *slog.Logger, err error) int {
	var timeout *readback.TimeoutError
	var mismatch *readback.MismatchError
	var superseded *readback.SupersededError
	var noPolicy *readback.NoPolicyError
	var stopped signalError
	switch {
	case err == nil:
		log.Info("done")
		return exitDone
	case errors.As(context.Cause(ctx), &stopped):
		log.Error(stopped.Error(), "hint", "run it again: every step can be repeated")
		return 128 + int(stopped.signal)
	case errors.As(err, &timeout):
		for _, reason := range timeout.Reasons {
			log.Error("still missing", "what", reason)
		}
		if len(timeout.Lacking) > 0 {
			log.Error("each of these pods holds the only copy of its shard's data, which is lost with it unless the cluster persists it: "+
				"give the cluster replicas, or delete them one at a time",
				"hint", "kubectl delete pod "+strings.Join(timeout.Lacking, " "))
		}
		log.Error(timeout.Error())
		return exitTimedOut
	case errors.As(err, &superseded):
		log.Info(superseded.Error())
		return exitSuperseded
	case errors.As(err, &noPolicy):
		log.Error(noPolicy.Error(), "hint", "kubectl get mutatingadmissionpolicy,mutatingadmissionpolicybinding "+noPolicy.Policy)
		return exitNoPolicy
	case errors.As(err, &mismatch):
		for _, difference := range mismatch.Differences {
			log.Error("differs", "what", difference)
		}
	}
	log.Error(err.Error())
	return exitFailed
}
