package readback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/valkey-expose/valkey-expose/schema"
)

// fieldManager owns what this program writes, so that applying the rendered
// objects again leaves it alone.
const fieldManager = "valkey-expose-readback"

// writer writes the record.
type writer struct {
	client *rest.RESTClient // of the core API
	jobs   *rest.RESTClient // of the batch API
	plan   *schema.Plan
}

// configMap makes data all that this program has in the ConfigMap: what it wrote
// before and is not in data goes. All of it or nothing is written.
func (w *writer) configMap(ctx context.Context, data map[string]string) error {
	name := schema.EndpointsName(w.plan.Cluster)
	body, err := json.Marshal(&corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Data:       data,
	})
	if err != nil {
		return fmt.Errorf("writing ConfigMap %s: %w", name, err)
	}
	return w.request(ctx, "writing ConfigMap "+name, func() error {
		return w.client.Patch(types.ApplyPatchType).Namespace(w.plan.Namespace).Resource("configmaps").Name(name).
			Param("fieldManager", fieldManager).Param("force", "true").Body(body).Do(ctx).Error()
	})
}

// Where the status was not kept. Neither is an error: the ConfigMap is the
// record.
var (
	errNoField   = errors.New("the CRD has no status.externalEndpoints")
	errNoCluster = errors.New("there is no such ValkeyCluster")
)

// status replaces status.externalEndpoints of the ValkeyCluster; nil removes it.
// An API server drops a field that its CRD lacks without an error, so the answer
// is compared with what was sent.
func (w *writer) status(ctx context.Context, endpoints []schema.ExternalEndpoint) error {
	type status struct {
		ExternalEndpoints []schema.ExternalEndpoint `json:"externalEndpoints"`
	}
	type cluster struct {
		Status status `json:"status"`
	}
	body, err := json.Marshal(cluster{status{endpoints}})
	if err != nil {
		return fmt.Errorf("writing the status: %w", err)
	}
	var answer []byte
	err = w.request(ctx, "writing the status of ValkeyCluster "+w.plan.Cluster, func() error {
		result := w.client.Patch(types.MergePatchType).
			AbsPath("apis", schema.APIVersion, "namespaces", w.plan.Namespace, "valkeyclusters", w.plan.Cluster, "status").
			Param("fieldManager", fieldManager).SetHeader("Accept", "application/json").Body(body).Do(ctx)
		answer, _ = result.Raw()
		return result.Error() // Raw's own error does not say what the API server said
	})
	switch {
	case apierrors.IsNotFound(err):
		return errNoCluster
	case err != nil:
		return err
	}
	var kept cluster
	if err := json.Unmarshal(answer, &kept); err != nil {
		return fmt.Errorf("reading the status: %w", err)
	}
	if !reflect.DeepEqual(kept.Status.ExternalEndpoints, endpoints) {
		return errNoField
	}
	return nil
}

// deleteJob deletes a Job with its pods. The Job stays until they are gone, so
// that the wait for it is a wait for them.
func (w *writer) deleteJob(ctx context.Context, job *batchv1.Job) error {
	options := metav1.NewPreconditionDeleteOptions(string(job.UID))
	foreground := metav1.DeletePropagationForeground
	options.PropagationPolicy = &foreground
	err := w.once(ctx, "deleting Job "+job.Name, func() error {
		return w.jobs.Delete().Namespace(w.plan.Namespace).Resource("jobs").Name(job.Name).Body(options).Do(ctx).Error()
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // gone, or gone and made anew
	}
	return err
}

// request tries again what may pass: an API server that restarts or is too busy,
// a right that comes a moment late.
func (w *writer) request(ctx context.Context, what string, try func() error) error {
	return w.repeat(ctx, what, isTransientRequest, try)
}

// once is request for what names one object by its UID, which may be another by now,
// or what a budget may refuse for long: both are the caller's to act on.
func (w *writer) once(ctx context.Context, what string, try func() error) error {
	return w.repeat(ctx, what, func(err error) bool {
		return isTransientRequest(err) && !apierrors.IsTooManyRequests(err) && !apierrors.IsConflict(err)
	}, try)
}

func (w *writer) repeat(ctx context.Context, what string, isTransient func(error) bool, try func() error) error {
	var deniedSince time.Time
	for {
		err := try()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
		case apierrors.IsForbidden(err):
			if deniedSince.IsZero() {
				deniedSince = time.Now()
			}
			if time.Since(deniedSince) > rightsGrace {
				return fmt.Errorf("%s: %w", what, err)
			}
		case !isTransient(err):
			return fmt.Errorf("%s: %w", what, err)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return &TimeoutError{Reasons: []string{fmt.Sprintf("%s: %v", what, err)}}
			}
			return ctx.Err()
		}
	}
}

func isTransientRequest(err error) bool {
	var answered apierrors.APIStatus
	return !errors.As(err, &answered) || // the connection failed
		apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsConflict(err)
}
