package readback

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"time"

	"k8s.io/client-go/rest"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Options are what a run needs.
type Options struct {
	Plan   *schema.Plan
	Config *rest.Config // of the API server
	Credentials

	// Timeout bounds the whole run; see schema.ReadbackTimeout.
	Timeout time.Duration

	DryRun     bool // write to Out what would be written and set, and touch nothing
	NoAnnounce bool // record only
	Reset      bool // clear what was announced and recorded instead

	Log *slog.Logger // never gets a secret
	Out io.Writer    // of DryRun
}

// again is how soon the whole is tried again after a fault that may pass.
const again = 500 * time.Millisecond

// Run does it all. It returns a *TimeoutError if something did not become ready
// in time, a *MismatchError if the nodes do not tell each other what was
// announced, and ctx's error if it was cancelled, which stops it between steps.
func Run(ctx context.Context, o Options) error {
	client, err := newClient(o.Config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	r := &run{Options: o, writer: &writer{client, o.Plan}, watcher: watchCluster(ctx, client, o.Plan, o.Log)}
	for {
		targets, err := r.watcher.wait(ctx, r.look)
		if err != nil {
			return err
		}
		err = r.attempt(ctx, targets)
		var passing *passingError
		if !errors.As(err, &passing) {
			if errors.Is(err, context.DeadlineExceeded) {
				return &TimeoutError{Reasons: []string{"the nodes to answer"}}
			}
			return err
		}
		o.Log.Warn("trying again", "after", passing.reasons[0], "faults", len(passing.reasons))
		select {
		case <-time.After(again):
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return &TimeoutError{Reasons: passing.reasons}
			}
			return ctx.Err()
		}
	}
}

type run struct {
	Options
	writer  *writer
	watcher *watcher
}

// look sees the nodes that this run is about.
func (r *run) look() (sight, error) {
	if r.Reset {
		return r.watcher.ofPods()
	}
	return r.watcher.ofPlan(r.Plan)
}

// attempt goes through all steps after the waiting. Each is safe to repeat.
func (r *run) attempt(ctx context.Context, targets []Target) error {
	r.Log.Info("nodes are ready", "nodes", len(targets))
	a := &announcer{
		credentials: r.Credentials, log: r.Log, targets: targets,
		want: func(t Target) announcement { return announcementOf(r.Plan, t) },
		stale: func() bool {
			now, err := r.look()
			return err == nil && len(now.targets) > 0 && !slices.Equal(now.targets, targets)
		},
	}
	record := record{}
	if r.Reset {
		a.want = func(Target) announcement { return nothing }
	} else {
		var err error
		if record, err = newRecord(r.Plan, targets); err != nil {
			return err
		}
	}
	if !r.NoAnnounce {
		// Before anything is written: a run that cannot announce leaves no record
		// of what is not announced.
		if err := a.inspect(ctx); err != nil {
			return err
		}
	}
	if r.DryRun {
		return r.print(record, a)
	}
	if err := r.record(ctx, record); err != nil {
		return err
	}
	if r.NoAnnounce {
		return nil
	}
	if err := a.announce(ctx); err != nil {
		return err
	}
	r.Log.Info("verified: every node tells this of every other", "nodes", len(targets))
	return nil
}

// record writes the ConfigMap, then the status.
func (r *run) record(ctx context.Context, what record) error {
	if err := r.writer.configMap(ctx, what.data); err != nil {
		return err
	}
	r.Log.Info("recorded", "configmap", schema.EndpointsName(r.Plan.Cluster), "keys", len(what.data))
	switch err := r.writer.status(ctx, what.endpoints); {
	case errors.Is(err, errNoField), errors.Is(err, errNoCluster):
		r.Log.Warn("the status is not kept, the ConfigMap is the record", "valkeycluster", r.Plan.Cluster, "because", err)
	case err != nil:
		return err
	default:
		r.Log.Info("status written", "valkeycluster", r.Plan.Cluster, "shards", len(what.endpoints))
	}
	return ctx.Err()
}
