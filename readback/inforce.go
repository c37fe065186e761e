package readback

import (
	"context"
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/schema"
)

// The cluster ends on the Plan that was applied last, whatever runs were still
// waiting then. Two things make it so:
//
// A run whose Plan is not the cluster's any more ends before it writes. The
// ConfigMap of the Plan says which Plan is in force and which Job carries it out.
// It is watched while the run waits, and read anew before every write. The Job of such
// a run starts it again, later and later, until it is deleted: the Plan may come back.
//
// A run deletes the Jobs before it, and waits until they have stopped, before it
// writes. So no two write at once; and a Plan that comes back finds its old Job,
// which is done, gone, and is carried out again. It may come back while its old Job is
// being deleted, too: then nobody makes that Job anew, and another one that is there
// carries the Plan out in its place.

// jobStopTimeout bounds the wait for Jobs that are being deleted: longer than the
// 30 seconds a pod is given. One on a machine that is gone stops nobody.
const jobStopTimeout = time.Minute

// inForce says why a run is superseded, if it is: found is the ConfigMap of the
// cluster's Plan, nil if there is none; exists says whether there is a Job.
func inForce(o *Options, found *corev1.ConfigMap, exists func(job string) bool) error {
	if found == nil {
		return &SupersededError{"ConfigMap " + schema.PlanName(o.Plan.Cluster) + " is gone: external access was turned off"}
	}
	job := found.Data[schema.JobKey]
	switch {
	case found.Data[schema.PlanKey] != o.PlanText:
		return &SupersededError{"the cluster has another Plan by now"}
	case o.Job != "" && job != o.Job && (job == "" || exists(job)):
		return &SupersededError{fmt.Sprintf("the cluster's Plan is carried out by Job %q", job)}
	}
	return nil
}

// exists reports whether there is a Job that carries out the Plan of the named one, if
// not that one itself. While nobody can know, there is.
func (r *run) exists(name string) bool {
	jobs, reason, err := r.watcher.jobs.state()
	return err != nil || reason != "" || carriedOut(jobs, name, r.Job)
}

// carriedOut reports whether a named Job is there to stay. In the place of one that is
// not, the first by name of those that still run goes on: two would delete each other.
func carriedOut(jobs []*batchv1.Job, name, own string) bool {
	return slices.ContainsFunc(jobs, func(job *batchv1.Job) bool {
		return job.DeletionTimestamp == nil && (job.Name == name || job.Name < own && !finished(job))
	})
}

// checks reports whether the run must be the one in force: what is started by hand
// is carried out.
func (r *run) checks() bool { return !r.DryRun && !r.Reset }

// superseded returns an error if the run is superseded as far as the watch knows, and
// a reason if the watch cannot know.
func (r *run) superseded() (reason string, err error) {
	if !r.checks() {
		return "", nil
	}
	plans, reason, err := r.watcher.plans.state()
	if err != nil || reason != "" {
		return reason, err
	}
	if len(plans) == 0 {
		return "", inForce(&r.Options, nil, r.exists)
	}
	return "", inForce(&r.Options, plans[0], r.exists)
}

// current asks the API server whether the run is still the one in force.
func (r *run) current(ctx context.Context) error {
	if !r.checks() {
		return nil
	}
	name := schema.PlanName(r.Plan.Cluster)
	found := &corev1.ConfigMap{}
	err := r.writer.request(ctx, "reading ConfigMap "+name, func() error {
		return r.writer.client.Get().Namespace(r.Plan.Namespace).Resource("configmaps").Name(name).Do(ctx).Into(found)
	})
	if apierrors.IsNotFound(err) {
		found = nil
	} else if err != nil {
		return err
	}
	return inForce(&r.Options, found, r.exists)
}

// takeOver deletes the Jobs before this one, and waits until they have stopped.
// A Plan is applied before its Job. So whatever Job was there when this run's
// Plan is seen to be in force is older than the Plan.
func (r *run) takeOver(ctx context.Context) error {
	if !r.checks() || r.Job == "" {
		return nil
	}
	others, err := r.others(ctx)
	if err != nil {
		return err
	}
	if err := r.current(ctx); err != nil {
		return err
	}
	for _, job := range others {
		if err := r.writer.deleteJob(ctx, job); err != nil {
			return err
		}
		r.Log.Info("deleted a Job that this one supersedes", "job", job.Name)
	}
	ctx, cancel := context.WithTimeout(ctx, jobStopTimeout)
	defer cancel()
	_, err = r.watcher.wait(ctx, func() (observed, error) {
		if _, err := r.superseded(); err != nil {
			return observed{}, err
		}
		jobs, reason, err := r.watcher.jobs.state()
		if err != nil || reason != "" {
			return observed{reasons: []string{reason}}, err
		}
		return observed{reasons: mayWrite(jobs, others)}, nil
	})
	if _, late := err.(*TimeoutError); late && ctx.Err() != nil {
		r.Log.Warn("a deleted Job has not stopped: going on", "seconds", jobStopTimeout.Seconds())
		return nil
	}
	return err
}

// others lists the cluster's Jobs but for this one.
func (r *run) others(ctx context.Context) (others []*batchv1.Job, err error) {
	_, err = r.watcher.wait(ctx, func() (observed, error) {
		jobs, reason, err := r.watcher.jobs.state()
		if err != nil || reason != "" {
			return observed{reasons: []string{reason}}, err
		}
		others = nil
		for _, job := range jobs {
			if job.Name != r.Job {
				others = append(others, job)
			}
		}
		_, err = r.superseded()
		return observed{}, err
	})
	return others, err
}

// mayWrite says which of the others may still write. A pod that is being stopped
// is not active, and is terminating until it has.
func mayWrite(jobs, others []*batchv1.Job) (reasons []string) {
	left := map[types.UID]bool{}
	for _, job := range jobs {
		pods := job.Status.Active > 0 || job.Status.Terminating != nil && *job.Status.Terminating > 0
		left[job.UID] = pods || !finished(job) && job.DeletionTimestamp == nil
	}
	for _, job := range others {
		if left[job.UID] {
			reasons = append(reasons, fmt.Sprintf("Job %s to stop", job.Name))
		}
	}
	return reasons
}

func finished(job *batchv1.Job) bool {
	for _, c := range job.Status.Conditions {
		if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}
