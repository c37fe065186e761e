package golden

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	admissionv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1alpha2 "sigs.k8s.io/gateway-api/apis/v1alpha2"
	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/schema"
)

// types are the real types of what is rendered, by apiVersion and kind.
var types = map[string]func() metav1.Object{
	"v1 Service":        func() metav1.Object { return &corev1.Service{} },
	"v1 ConfigMap":      func() metav1.Object { return &corev1.ConfigMap{} },
	"v1 Namespace":      func() metav1.Object { return &corev1.Namespace{} },
	"v1 ServiceAccount": func() metav1.Object { return &corev1.ServiceAccount{} },
	"batch/v1 Job":      func() metav1.Object { return &batchv1.Job{} },
	"batch/v1 CronJob":  func() metav1.Object { return &batchv1.CronJob{} },

	"networking.k8s.io/v1 NetworkPolicy": func() metav1.Object { return &networkingv1.NetworkPolicy{} },

	"rbac.authorization.k8s.io/v1 Role":        func() metav1.Object { return &rbacv1.Role{} },
	"rbac.authorization.k8s.io/v1 RoleBinding": func() metav1.Object { return &rbacv1.RoleBinding{} },

	"gateway.networking.k8s.io/v1 TCPRoute":       func() metav1.Object { return &gatewayv1.TCPRoute{} },
	"gateway.networking.k8s.io/v1alpha2 TCPRoute": func() metav1.Object { return &gatewayv1alpha2.TCPRoute{} },

	"admissionregistration.k8s.io/v1 MutatingAdmissionPolicy": func() metav1.Object {
		return &admissionv1.MutatingAdmissionPolicy{}
	},
	"admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding": func() metav1.Object {
		return &admissionv1.MutatingAdmissionPolicyBinding{}
	},
	"admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy": func() metav1.Object {
		return &admissionv1beta1.MutatingAdmissionPolicy{}
	},
	"admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding": func() metav1.Object {
		return &admissionv1beta1.MutatingAdmissionPolicyBinding{}
	},

	"valkey.io/v1alpha1 ValkeyCluster": func() metav1.Object { return &cluster{} },
}

// cluster is what a ValkeyCluster looks like to an API server that knows no
// field of external access: the fields of the cases, and no other.
type cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Shards       int                `json:"shards"`
		Replicas     int                `json:"replicas"`
		Image        string             `json:"image"`
		WorkloadType string             `json:"workloadType"`
		Config       map[string]string  `json:"config"`
		Containers   []corev1.Container `json:"containers"`
		Resources    map[string]any     `json:"resources"`
		Networking   map[string]any     `json:"networking"`
		TLS          map[string]any     `json:"tls"`
	} `json:"spec"`
}

// keptCluster is one as it looks to an API server with the CRD patch.
type keptCluster struct {
	cluster
	Spec struct {
		Shards         int                   `json:"shards"`
		Replicas       int                   `json:"replicas"`
		Containers     []corev1.Container    `json:"containers"`
		ExternalAccess schema.ExternalAccess `json:"externalAccess"`
	} `json:"spec"`
}

// decodeAll reads every document of a stream back into its real type; a field
// that the type does not have, or has twice, fails. Only where it is kept may a
// ValkeyCluster have the block.
func decodeAll(t *testing.T, stream []byte, keepsBlock bool) []metav1.Object {
	t.Helper()
	var objects []metav1.Object
	for _, document := range strings.Split("\n"+strings.ReplaceAll(string(stream), "\n...\n", "\n"), "\n---") {
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(document), &meta); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if meta.Kind == "" {
			continue // comments
		}
		make := types[meta.APIVersion+" "+meta.Kind]
		if make == nil {
			t.Fatalf("%s %s is rendered by nobody here", meta.APIVersion, meta.Kind)
		}
		object := make()
		if keepsBlock && meta.Kind == schema.Kind {
			object = &keptCluster{}
		}
		if err := yaml.UnmarshalStrict([]byte(document), object); err != nil {
			t.Fatalf("%s %s: %v\n%s", meta.APIVersion, meta.Kind, err, document)
		}
		objects = append(objects, object)
	}
	if len(objects) == 0 {
		t.Fatal("no object")
	}
	return objects
}
