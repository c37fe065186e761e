package readback

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Options are what a run needs.
type Options struct {
	Plan     *schema.Plan
	PlanText string // the Plan as its ConfigMap had it
	Job      string // the name of the Job that this is, "" for none

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

// retryInterval is how soon the whole is tried again after a fault that may pass.
const retryInterval = 500 * time.Millisecond

// Run does it all. It returns a *TimeoutError if something did not become ready
// in time, a *MismatchError if the nodes do not report what was
// announced, a *SupersededError if another Plan is the cluster's by now, a
// *NoPolicyError if pods come back without the overlay, and ctx's error if it was
// cancelled, which stops it between steps.
func Run(ctx context.Context, o Options) error {
	core, err := newCoreClient(o.Config)
	if err != nil {
		return err
	}
	batch, err := newBatchClient(o.Config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	r := &run{Options: o, writer: &writer{core, batch, o.Plan}, watcher: watchCluster(ctx, core, batch, &o)}
	if err := r.takeOver(ctx); err != nil {
		return err
	}
	e := &evictor{run: r, past: map[string]evictions{}, evicted: map[types.UID]bool{}}
	var faults []string // of the last try
	for {
		seen, err := r.watcher.wait(ctx, func() (observed, error) { return e.observe() })
		switch {
		case err != nil:
			return err
		case len(seen.outdated) > 0:
			err = e.evict(ctx, seen)
			if err == nil {
				continue
			}
		default:
			err = r.attempt(ctx, seen.targets)
		}
		var transient *transientError
		if !errors.As(err, &transient) {
			if errors.Is(err, context.DeadlineExceeded) {
				return &TimeoutError{Reasons: append(faults, "the nodes to answer")}
			}
			return err
		}
		faults = transient.reasons
		o.Log.Warn("trying again", "after", faults[0], "faults", len(faults))
		select {
		case <-time.After(retryInterval):
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return &TimeoutError{Reasons: faults}
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

// observe reads the nodes that this run is about from the watched objects.
func (r *run) observe() (observed, error) {
	if reason, err := r.superseded(); err != nil || reason != "" {
		return observed{reasons: []string{reason}}, err
	}
	if r.Reset {
		return r.watcher.ofPods()
	}
	return r.watcher.ofPlan(r.Plan, r.mayEvict())
}

// mayEvict says whether pods are evicted that lack the overlay: it is the policy
// that gives it to their successors, and who is in sync is asked of the nodes.
func (r *run) mayEvict() bool {
	return r.Plan.Evicts() && !r.DryRun && !r.NoAnnounce
}

// attempt goes through all steps after the waiting. Each is safe to repeat.
func (r *run) attempt(ctx context.Context, targets []Target) error {
	r.Log.Info("nodes are ready", "nodes", len(targets))
	a := &announcer{
		credentials: r.Credentials, log: r.Log, targets: running(targets),
		want:    func(t Target) announcement { return announcementOf(r.Plan, t) },
		current: r.current,
		changed: func() error {
			now, err := r.observe()
			if err == nil && len(now.targets) > 0 && !slices.Equal(now.targets, targets) {
				err = &transientError{[]string{"pods were replaced while they were announced"}}
			}
			return err
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
	r.Log.Info("verified: every node reports this of every other", "nodes", len(targets))
	return nil
}

// record writes the ConfigMap, then the status.
func (r *run) record(ctx context.Context, what record) error {
	if err := r.current(ctx); err != nil {
		return err
	}
	if err := r.writer.configMap(ctx, what.data); err != nil {
		return err
	}
	r.Log.Info("recorded", "configmap", schema.EndpointsName(r.Plan.Cluster), "keys", len(what.data))
	if err := r.current(ctx); err != nil {
		return err
	}
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
