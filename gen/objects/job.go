package objects

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/gen/metadata"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/gen/podpatch"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Job renders the run-once read-back Job. Its name carries a hash of what it
// does, for a Job's template cannot be changed: another plan or image is
// another Job. It has no TTL, or a pipeline would see it missing and run it
// again.
func Job(x *plan.Exposed) (*batchv1.Job, error) {
	spec, err := jobSpec(x)
	if err != nil {
		return nil, err
	}
	job := &batchv1.Job{
		TypeMeta:   metadata.Type(batchv1.SchemeGroupVersion.String(), "Job"),
		ObjectMeta: metadata.Namespaced(x, schema.ReadbackName(x.Plan.Cluster), metadata.Job(x)),
		Spec:       spec,
	}
	withJobConstants(&job.Spec)
	// The Job learns its own name, to tell whether it is still the one in force.
	container := &job.Spec.Template.Spec.Containers[0]
	container.Env = append(container.Env, corev1.EnvVar{Name: jobNameVariable, ValueFrom: &corev1.EnvVarSource{
		FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.labels['" + batchv1.JobNameLabel + "']"},
	}})
	container.Args = append(container.Args, "--job=$("+jobNameVariable+")")
	template, err := json.Marshal(job.Spec)
	if err != nil {
		return nil, fmt.Errorf("writing the Job: %w", err)
	}
	sum := sha256.Sum256(append(template, x.Text...))
	job.Name += "-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:schema.JobHashLength]
	return job, nil
}

// CronJob renders the same Job on a schedule: a Service made anew, and with it
// its node ports, is announced at the next run.
func CronJob(x *plan.Exposed) (*batchv1.CronJob, error) {
	spec, err := jobSpec(x)
	if err != nil {
		return nil, err
	}
	c := &batchv1.CronJob{
		TypeMeta:   metadata.Type(batchv1.SchemeGroupVersion.String(), "CronJob"),
		ObjectMeta: metadata.Namespaced(x, schema.ReadbackName(x.Plan.Cluster), metadata.After(x)),
		Spec: batchv1.CronJobSpec{
			Schedule:          x.Options.ReadbackSchedule,
			ConcurrencyPolicy: batchv1.ForbidConcurrent,
			// Constants of the API server, as below.
			Suspend:                    new(false),
			SuccessfulJobsHistoryLimit: new(int32(3)),
			FailedJobsHistoryLimit:     new(int32(1)),
			JobTemplate: batchv1.JobTemplateSpec{
				// With the cluster's label, unlike the pods: by it a Job finds the Jobs
				// that it supersedes, those of the schedule among them.
				ObjectMeta: metav1.ObjectMeta{Labels: metadata.ClusterLabels(x.Plan.Cluster)},
				Spec:       spec,
			},
		},
	}
	return c, nil
}

func jobSpec(x *plan.Exposed) (batchv1.JobSpec, error) {
	on := func(code int32, action batchv1.PodFailurePolicyAction) batchv1.PodFailurePolicyRule {
		return batchv1.PodFailurePolicyRule{
			Action: action,
			OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{
				ContainerName: new(readbackContainer),
				Operator:      batchv1.PodFailurePolicyOnExitCodesOpIn,
				Values:        []int32{code},
			},
		}
	}
	spec := batchv1.JobSpec{
		BackoffLimit: new(int32(3)),
		PodFailurePolicy: &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{
			on(schema.ExitSuperseded, batchv1.PodFailurePolicyActionIgnore),
			on(schema.ExitNoPolicy, batchv1.PodFailurePolicyActionFailJob),
		}},
		ActiveDeadlineSeconds: new(deadline(x.Cluster.Nodes())),
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: metadata.Merged(metadata.CommonLabels(), jobPodLabel(x))},
			Spec:       jobPod(x),
		},
	}
	return spec, podpatch.Merge(&spec.Template, x.Options.ReadbackPod)
}

// deadline is the Job's, in seconds: a minute above the program's own, so that the
// program can say why.
func deadline(nodes int) int64 {
	return int64((schema.ReadbackTimeout(nodes) + time.Minute).Seconds())
}
