package bed

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const tailLength = 2000

// logFailure prints what a failed test needs to be understood: its pods, the end
// of each of their logs, and the end of the components' logs.
func (b *Bed) logFailure() {
	pods, err := b.kube.CoreV1().Pods(b.Namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		b.T.Logf("listing the pods: %v", err)
	} else {
		for _, p := range pods.Items {
			b.T.Logf("pod %s: %s, %s, ready %v, labels %v: %s", p.Name, p.Status.Phase, p.Status.PodIP, IsReady(&p), p.Labels, p.Status.Message)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(logDir, "*.log"))
	for _, path := range logs {
		name := strings.TrimSuffix(filepath.Base(path), ".log")
		// Files of pods begin with their namespace.
		if namespace, _, ofPod := strings.Cut(name, "_"); ofPod && namespace != b.Namespace {
			continue
		}
		b.T.Logf("---- %s\n%s", name, tail(path))
	}
}

func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-tailLength):])
}
