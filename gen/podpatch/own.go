package podpatch

import corev1 "k8s.io/api/core/v1"

// Own is what a Job's pod relies on, and no patch may take over.
type Own struct {
	Labels    []string // their names
	Container string   // its name
	Variables []string // of the container's environment
	Volumes   []string // their names
	Directory string   // the files are mounted below it

	// Resources are those of the container without a patch.
	Resources corev1.ResourceRequirements
}
