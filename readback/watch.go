package readback

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/valkey-expose/valkey-expose/schema"
)

// watcher follows the cluster's Services and pods, and what says whether the run is
// still the one in force.
type watcher struct {
	log      *slog.Logger
	services *informer[*corev1.Service]
	pods     *informer[*corev1.Pod]
	plans    *informer[*corev1.ConfigMap] // the Plan in force; nil if the run need not be
	jobs     *informer[*batchv1.Job]      // of the cluster; nil outside a Job
	gateway  *gateway                     // nil unless nodes announce its address
	changed  chan struct{}
}

func watchCluster(ctx context.Context, core, batch *rest.RESTClient, o *Options) *watcher {
	plan, log := o.Plan, o.Log
	w := &watcher{log: log, changed: make(chan struct{}, 1)}
	notify := func() {
		select {
		case w.changed <- struct{}{}:
		default: // a change is noted already
		}
	}
	ofCluster := schema.ClusterLabel + "=" + plan.Cluster
	w.services = startInformer[*corev1.Service](ctx, core, "services", plan.Namespace, metav1.ListOptions{LabelSelector: ofCluster},
		&corev1.Service{}, &corev1.ServiceList{}, notify)
	w.pods = startInformer[*corev1.Pod](ctx, core, "pods", plan.Namespace,
		metav1.ListOptions{LabelSelector: ofCluster + "," + schema.ComponentLabel + "=" + schema.NodeComponent},
		&corev1.Pod{}, &corev1.PodList{}, notify)
	if plan.AsksGateway() && !o.Reset {
		w.gateway = followGateway(ctx, core, plan.GatewayRef, notify)
	}
	if !o.Reset && !o.DryRun {
		// A right on one ConfigMap covers a watch of it by its name.
		w.plans = startInformer[*corev1.ConfigMap](ctx, core, "configmaps", plan.Namespace,
			metav1.ListOptions{FieldSelector: "metadata.name=" + schema.PlanName(plan.Cluster)},
			&corev1.ConfigMap{}, &corev1.ConfigMapList{}, notify)
	}
	if w.plans != nil && o.Job != "" {
		w.jobs = startInformer[*batchv1.Job](ctx, batch, "jobs", plan.Namespace,
			metav1.ListOptions{LabelSelector: ofCluster + "," + schema.ComponentLabel + "=" + schema.ReadbackComponent},
			&batchv1.Job{}, &batchv1.JobList{}, notify)
	}
	return w
}

// wait returns when observe says that nothing is missing, observing again at every
// change. At the deadline of ctx it returns a *TimeoutError.
func (w *watcher) wait(ctx context.Context, observe func() (observed, error)) (observed, error) {
	logged := ""
	// A right that is missing changes nothing when its grace ends.
	ticker := time.NewTicker(rightsGrace)
	defer ticker.Stop()
	for {
		seen, err := observe()
		if err != nil || len(seen.reasons) == 0 {
			return seen, err
		}
		if seen.reasons[0] != logged {
			logged = seen.reasons[0]
			w.log.Info("waiting", "for", logged, "missing", len(seen.reasons))
		}
		select {
		case <-w.changed:
		case <-ticker.C:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return seen, &TimeoutError{Reasons: seen.reasons}
			}
			return seen, ctx.Err()
		}
	}
}

// observed is what the watched objects show: the nodes, what is missing of them, and
// the pods that lack the overlay, where nothing else is missing of the pods.
type observed struct {
	targets           []Target
	reasons, outdated []string
}

// ofPlan reports whether every node of the plan can be dialled from outside and its
// pod is Ready. Pods that lack the overlay are something to wait for, unless they
// may be evicted.
func (w *watcher) ofPlan(plan *schema.Plan, mayEvict bool) (observed, error) {
	services, reason, err := w.services.state()
	if err != nil || reason != "" {
		return observed{reasons: []string{reason}}, err
	}
	pods, reason, err := w.pods.state()
	if err != nil || reason != "" {
		return observed{reasons: []string{reason}}, err
	}
	targets, reasons := withServices(plan, present(plan.Nodes, pods), services)
	targets, missing, err := withAddresses(plan, targets, services, w.gateway)
	if err != nil {
		return observed{}, err
	}
	reasons = append(reasons, missing...)
	targets, more, outdated := withPods(targets, pods, !plan.RollsLater())
	if len(outdated) > 0 && len(more) == 0 && mayEvict {
		// The roll is over: nobody else takes pods away now.
		return observed{targets, nil, outdated}, nil
	}
	for _, pod := range outdated {
		more = append(more, fmt.Sprintf("pod %s has no port of its own: it was created before the policy was in force", pod))
	}
	return observed{targets, append(reasons, more...), nil}, nil
}

// ofPods reports whether all pods of the cluster are Ready, whichever they are.
func (w *watcher) ofPods() (observed, error) {
	pods, reason, err := w.pods.state()
	if err != nil || reason != "" {
		return observed{reasons: []string{reason}}, err
	}
	targets, reasons := anyPods(pods)
	return observed{targets: targets, reasons: reasons}, nil
}
