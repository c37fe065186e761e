package gen

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Files of the read-back Job's pod. Secrets are mounted as single keys.
const (
	filesDir    = "/etc/valkey-expose"
	planDir     = filesDir + "/plan"
	passwordDir = filesDir + "/password"
	caDir       = filesDir + "/ca"
	certDir     = filesDir + "/certificate"

	caKey = "ca.crt"
)

// readbackContainer is the Job's container.
const readbackContainer = "readback"

// jobNameVariable is the environment variable with the Job's own name.
const jobNameVariable = "JOB_NAME"

// job renders the run-once read-back Job. Its name carries a hash of what it
// does, for a Job's template cannot be changed: another plan or image is
// another Job. It has no TTL, or a pipeline would see it missing and run it
// again.
func (b *builder) job() (*batchv1.Job, error) {
	spec, err := b.jobSpec()
	if err != nil {
		return nil, err
	}
	job := &batchv1.Job{
		TypeMeta:   typeMeta(batchv1.SchemeGroupVersion.String(), "Job"),
		ObjectMeta: b.meta(schema.ReadbackName(b.cluster.Name), nil),
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
	plan, err := b.planText()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(template, plan...))
	job.Name += "-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:schema.JobHashLength]
	annotate(job, b.gitops.job)
	return job, nil
}

// cronJob renders the same Job on a schedule: a Service made anew, and with it
// its node ports, is announced at the next run.
func (b *builder) cronJob() (*batchv1.CronJob, error) {
	spec, err := b.jobSpec()
	if err != nil {
		return nil, err
	}
	c := &batchv1.CronJob{
		TypeMeta:   typeMeta(batchv1.SchemeGroupVersion.String(), "CronJob"),
		ObjectMeta: b.meta(schema.ReadbackName(b.cluster.Name), nil),
		Spec: batchv1.CronJobSpec{
			Schedule:          b.options.ReadbackSchedule,
			ConcurrencyPolicy: batchv1.ForbidConcurrent,
			// Constants of the API server, as below.
			Suspend:                    new(false),
			SuccessfulJobsHistoryLimit: new(int32(3)),
			FailedJobsHistoryLimit:     new(int32(1)),
			JobTemplate: batchv1.JobTemplateSpec{
				// With the cluster's label, unlike the pods: by it a Job finds the Jobs
				// that it supersedes, those of the schedule among them.
				ObjectMeta: metav1.ObjectMeta{Labels: labels(b.cluster.Name, nil)},
				Spec:       spec,
			},
		},
	}
	annotate(c, b.gitops.after)
	return c, nil
}

func (b *builder) jobSpec() (batchv1.JobSpec, error) {
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
		ActiveDeadlineSeconds: new(deadline(b.cluster.Nodes())),
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: merged(commonLabels(), b.jobPodLabel())},
			Spec:       b.jobPod(),
		},
	}
	return spec, b.patched(&spec.Template)
}

// deadline is the Job's, in seconds: a minute above the program's own, so that the
// program can say why.
func deadline(nodes int) int64 {
	return int64((schema.ReadbackTimeout(nodes) + time.Minute).Seconds())
}

// jobPod meets the restricted Pod Security Standard. It names no user: the image
// does, and OpenShift gives its own.
func (b *builder) jobPod() corev1.PodSpec {
	pod := corev1.PodSpec{
		ServiceAccountName: schema.ReadbackName(b.cluster.Name),
		RestartPolicy:      corev1.RestartPolicyNever,
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot:   new(true),
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{{
			Name:  readbackContainer,
			Image: b.options.ReadbackImage,
			Args: []string{
				"--plan=" + planDir + "/" + schema.PlanKey,
				"--password-file=" + passwordDir + "/" + schema.OperatorUser,
			},
			Resources: readbackResources(),
			// kubectl describe then shows why a run failed.
			TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
			SecurityContext: &corev1.SecurityContext{
				AllowPrivilegeEscalation: new(false),
				ReadOnlyRootFilesystem:   new(true),
				Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			},
		}},
	}
	mount := func(name, dir string, source corev1.VolumeSource) {
		pod.Volumes = append(pod.Volumes, corev1.Volume{Name: name, VolumeSource: source})
		pod.Containers[0].VolumeMounts = append(pod.Containers[0].VolumeMounts,
			corev1.VolumeMount{Name: name, MountPath: dir, ReadOnly: true})
	}
	mount("plan", planDir, corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: schema.PlanName(b.cluster.Name)},
	}})
	mount("password", passwordDir, secretKey(passwordsName(b.cluster.Name), schema.OperatorUser))
	if tls := b.cluster.TLS; tls != nil {
		pod.Containers[0].Args = append(pod.Containers[0].Args, "--ca-file="+caDir+"/"+caKey)
		mount("ca", caDir, secretKey(tls.SecretName, caKey))
		if tls.ClientCertificates {
			// The nodes are each other's clients with this pair.
			pod.Containers[0].Args = append(pod.Containers[0].Args, "--cert-file="+certDir+"/tls.crt", "--key-file="+certDir+"/tls.key")
			mount("certificate", certDir, secretKey(cmp.Or(b.options.ReadbackClientSecret, tls.SecretName), "tls.crt", "tls.key"))
		}
	}
	if secret := b.options.ReadbackPullSecret; secret != "" {
		pod.ImagePullSecrets = []corev1.LocalObjectReference{{Name: secret}}
	}
	withPodConstants(&pod)
	return pod
}

// secretKey is a volume of some keys of a Secret, and of no other.
func secretKey(secret string, keys ...string) corev1.VolumeSource {
	source := &corev1.SecretVolumeSource{SecretName: secret}
	for _, key := range keys {
		source.Items = append(source.Items, corev1.KeyToPath{Key: key, Path: key})
	}
	return corev1.VolumeSource{Secret: source}
}

// readbackResources are what the Job's container asks for, and its limits.
func readbackResources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("10m"),
			corev1.ResourceMemory: resource.MustParse("32Mi"),
		},
		Limits: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("500m"),
			corev1.ResourceMemory: resource.MustParse("128Mi"),
		},
	}
}
