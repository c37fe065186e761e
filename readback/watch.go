package readback

import (
	"context"
	"errors"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/valkey-expose/valkey-expose/schema"
)

// watcher follows the cluster's Services and pods.
type watcher struct {
	log      *slog.Logger
	services *source[*corev1.Service]
	pods     *source[*corev1.Pod]
	changed  chan struct{}
}

func watchCluster(ctx context.Context, client *rest.RESTClient, plan *schema.Plan, log *slog.Logger) *watcher {
	w := &watcher{log: log, changed: make(chan struct{}, 1)}
	notify := func() {
		select {
		case w.changed <- struct{}{}:
		default: // a change is noted already
		}
	}
	ofCluster := schema.ClusterLabel + "=" + plan.Cluster
	w.services = watchObjects[*corev1.Service](ctx, client, "services", plan.Namespace, ofCluster,
		&corev1.Service{}, &corev1.ServiceList{}, notify)
	w.pods = watchObjects[*corev1.Pod](ctx, client, "pods", plan.Namespace,
		ofCluster+","+schema.ComponentLabel+"="+schema.NodeComponent,
		&corev1.Pod{}, &corev1.PodList{}, notify)
	return w
}

// wait returns when look says that nothing is missing, looking again at every
// change. At the deadline of ctx it returns a *TimeoutError.
func (w *watcher) wait(ctx context.Context, look func() (sight, error)) ([]Target, error) {
	said := ""
	// A right that is missing changes nothing when its grace ends.
	patience := time.NewTicker(rightsGrace)
	defer patience.Stop()
	for {
		seen, err := look()
		if err != nil || len(seen.reasons) == 0 {
			return seen.targets, err
		}
		if seen.reasons[0] != said {
			said = seen.reasons[0]
			w.log.Info("waiting", "for", said, "missing", len(seen.reasons))
		}
		select {
		case <-w.changed:
		case <-patience.C:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, &TimeoutError{seen.reasons, seen.lacking}
			}
			return nil, ctx.Err()
		}
	}
}

// sight is what the watched objects show: the nodes, and what is missing of them.
type sight struct {
	targets          []Target
	reasons, lacking []string
}

// ofPlan sees whether every node of the plan can be dialled from outside and its
// pod is Ready.
func (w *watcher) ofPlan(plan *schema.Plan) (sight, error) {
	services, reason, err := w.services.state()
	if err != nil || reason != "" {
		return sight{reasons: []string{reason}}, err
	}
	pods, reason, err := w.pods.state()
	if err != nil || reason != "" {
		return sight{reasons: []string{reason}}, err
	}
	targets, reasons := withServices(plan, services)
	targets, more, lacking := withPods(targets, pods)
	return sight{targets, append(reasons, more...), lacking}, nil
}

// ofPods sees whether all pods of the cluster are Ready, whichever they are.
func (w *watcher) ofPods() (sight, error) {
	pods, reason, err := w.pods.state()
	if err != nil || reason != "" {
		return sight{reasons: []string{reason}}, err
	}
	targets, reasons := anyPods(pods)
	return sight{targets: targets, reasons: reasons}, nil
}
