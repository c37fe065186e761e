package manifest

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestKeysOfTheUserAreKept: whatever an annotation or label is named, it is
// written, while what the server owns is not.
func TestKeysOfTheUserAreKept(t *testing.T) {
	keys := map[string]string{"creationTimestamp": "keep", "status": "keep", "null": "keep", "b": "keep"}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "s", Annotations: keys, Labels: keys}}
	for name, write := range map[string]func(any) ([]byte, error){"YAML": YAML, "JSON": JSON} {
		text, err := write(service)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "keep"); n != 2*len(keys) {
			t.Errorf("%s: %d of %d are left:\n%s", name, n, 2*len(keys), text)
		}
		for _, own := range []string{"creationTimestamp", "status"} {
			if n := strings.Count(string(text), own); n != 2 {
				t.Errorf("%s: %s is there %d times:\n%s", name, own, n, text)
			}
		}
	}
}
