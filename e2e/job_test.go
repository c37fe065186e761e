package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestRenderedJobRunsUnderItsRole runs the rendered Job as it is, under its
// ServiceAccount, with a program that uses the rights and files it is given and
// tries some that it is not.
func TestRenderedJobRunsUnderItsRole(t *testing.T) {
	t.Parallel()
	b := start(t)
	program := filepath.Join(t.TempDir(), "inpod")
	build := exec.Command("go", "build", "-o", program, "./cmd/inpod")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const image = "inpod.example.com/inpod:test"
	b.Runner().AddImage(image, podrunner.Image{
		Entrypoint: []string{"/inpod"},
		UID:        65532,
		Mounts:     []podrunner.Mount{{From: program, To: "/inpod"}},
	})
	manifests := product.Render(t, input(b, 1, hostnames, ""), "--readback-image", image)
	b.Apply(manifests)
	inForce(b)
	c := operator.For(b, clusterName)
	c.Up()

	bed.WaitForAny(b, bed.Jobs, b.Namespace, map[string]string{"valkey.io/cluster": clusterName}, "to be complete", func(j *batchv1.Job) bool {
		for _, condition := range j.Status.Conditions {
			if condition.Type == batchv1.JobComplete && condition.Status == corev1.ConditionTrue {
				return true
			}
		}
		return false
	})

	// What the Job wrote is the Job's: applying the empty ConfigMap again, as a
	// pipeline does, leaves it alone.
	b.Apply(kinds(t, manifests, "ConfigMap"))
	m, err := b.Kube().CoreV1().ConfigMaps(b.Namespace).Get(t.Context(), "valkey-"+clusterName+"-external-endpoints", metav1.GetOptions{})
	if err != nil || m.Data["bootstrap"] != "written by the Job" {
		t.Errorf("after applying again: %v %v", m.Data, err)
	}
}
