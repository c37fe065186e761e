package objects

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// Constants that the API server adds where they are missing are rendered: Argo CD
// compares what it applied with what is there, and lists literally. What
// depends on the cluster is left to it: addresses, node ports, IP families,
// internalTrafficPolicy, and imagePullPolicy, which the admission controller
// AlwaysPullImages changes.

// withJobConstants completes what is rendered of a Job. To a CronJob's template the
// API server adds none of these.
func withJobConstants(spec *batchv1.JobSpec) {
	spec.Completions = new(int32(1))
	spec.Parallelism = new(int32(1))
	spec.CompletionMode = new(batchv1.NonIndexedCompletion)
	spec.ManualSelector = new(false)
	spec.Suspend = new(false)
	// Because of the podFailurePolicy; TerminatingOrFailed without one.
	spec.PodReplacementPolicy = new(batchv1.Failed)
}

// withPodConstants completes what is rendered of a pod.
func withPodConstants(pod *corev1.PodSpec) {
	pod.DNSPolicy = corev1.DNSClusterFirst
	pod.SchedulerName = corev1.DefaultSchedulerName
	pod.TerminationGracePeriodSeconds = new(int64(corev1.DefaultTerminationGracePeriodSeconds))
	for i := range pod.Containers {
		pod.Containers[i].TerminationMessagePath = corev1.TerminationMessagePathDefault
	}
	for _, volume := range pod.Volumes {
		switch {
		case volume.ConfigMap != nil:
			volume.ConfigMap.DefaultMode = new(corev1.ConfigMapVolumeSourceDefaultMode)
		case volume.Secret != nil:
			volume.Secret.DefaultMode = new(corev1.SecretVolumeSourceDefaultMode)
		}
	}
}
