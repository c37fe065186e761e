package metadata

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/gen/plan"
)

// Type is the kind of an object, and the version of its API.
func Type(apiVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}

// Namespaced is the metadata of a cluster's object in its namespace. Of the
// annotations a later one wins.
func Namespaced(x *plan.Exposed, name string, annotations ...map[string]string) metav1.ObjectMeta {
	meta := Global(x, name, annotations...)
	meta.Namespace = x.Plan.Namespace
	return meta
}

// Global is the metadata of a cluster's object that is in no namespace.
func Global(x *plan.Exposed, name string, annotations ...map[string]string) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{Name: name, Labels: ClusterLabels(x.Plan.Cluster)}
	for _, added := range annotations {
		if len(added) > 0 {
			meta.Annotations = Merged(meta.Annotations, added)
		}
	}
	return meta
}
