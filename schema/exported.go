package schema

// ServerOwned are the fields that an API server sets or kubectl keeps its notes
// in, as paths: an object that was read from there is not applied with them.
var ServerOwned = [][]string{
	{"metadata", "resourceVersion"},
	{"metadata", "uid"},
	{"metadata", "managedFields"},
	{"metadata", "creationTimestamp"},
	{"metadata", "generation"},
	{"metadata", "selfLink"},
	{"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"},
}
