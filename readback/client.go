package readback

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// newCoreClient and newBatchClient make clients that know the types of one API
// group and no others, so that the program stays small.
func newCoreClient(config *rest.Config) (*rest.RESTClient, error) {
	return newClient(config, "/api", corev1.SchemeGroupVersion, corev1.AddToScheme)
}

func newBatchClient(config *rest.Config) (*rest.RESTClient, error) {
	return newClient(config, "/apis", batchv1.SchemeGroupVersion, batchv1.AddToScheme)
}

func newClient(config *rest.Config, path string, version schema.GroupVersion, types func(*runtime.Scheme) error) (*rest.RESTClient, error) {
	scheme := runtime.NewScheme()
	if err := types(scheme); err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	metav1.AddToGroupVersion(scheme, version)
	c := rest.CopyConfig(config)
	c.APIPath = path
	c.GroupVersion = &version
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
