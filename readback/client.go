package readback

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// newClient makes a client of the core API, which knows no other types, so that
// the program stays small.
func newClient(config *rest.Config) (*rest.RESTClient, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	metav1.AddToGroupVersion(scheme, corev1.SchemeGroupVersion)
	c := rest.CopyConfig(config)
	c.APIPath = "/api"
	c.GroupVersion = &corev1.SchemeGroupVersion
	c.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	c.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	c.ContentType = runtime.ContentTypeProtobuf
	c.UserAgent = "valkey-readback"
	// A field that the CRD lacks is a warning, and it is found in the answer.
	c.WarningHandler = rest.NoWarnings{}
	c.QPS = -1 // a run makes a handful of requests
	client, err := rest.RESTClientFor(c)
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	return client, nil
}
