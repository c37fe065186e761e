package bed

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// The resources that tests wait for.
var (
	Pods         = corev1.SchemeGroupVersion.WithResource("pods")
	ConfigMaps   = corev1.SchemeGroupVersion.WithResource("configmaps")
	Services     = corev1.SchemeGroupVersion.WithResource("services")
	StatefulSets = appsv1.SchemeGroupVersion.WithResource("statefulsets")
	Jobs         = batchv1.SchemeGroupVersion.WithResource("jobs")
)
