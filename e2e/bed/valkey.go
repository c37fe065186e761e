package bed

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Valkey sends one command to a pod of the test's namespace, from the node and
// past every Service, and returns the answer. The test fails if Valkey refuses.
func (b *Bed) Valkey(pod string, args ...string) string {
	b.T.Helper()
	answer, err := b.TryValkey(pod, args...)
	if err != nil {
		b.T.Fatal(err)
	}
	return answer
}

// TryValkey is Valkey for commands that may fail.
func (b *Bed) TryValkey(pod string, args ...string) (string, error) {
	p, err := b.kube.CoreV1().Pods(b.Namespace).Get(b.T.Context(), pod, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	return b.valkeyAt(p.Status.PodIP, args...)
}

func (b *Bed) valkeyAt(address string, args ...string) (string, error) {
	cmd := exec.CommandContext(b.T.Context(), "valkey-cli", slices.Concat([]string{"-e", "-h", address}, b.ValkeyFlags, args)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("valkey-cli -h %s %s: %w: %s%s", address, strings.Join(args, " "), err, stderr.Bytes(), stdout.Bytes())
	}
	return strings.TrimSpace(stdout.String()), nil
}

// WaitReady watches a pod until it is Ready, and returns it.
func (b *Bed) WaitReady(pod string) *corev1.Pod {
	b.T.Helper()
	return WaitFor(b, Pods, b.Namespace, pod, "to be Ready", IsReady)
}

// IsReady tells whether a pod is Ready and stays.
func IsReady(p *corev1.Pod) bool {
	if p.DeletionTimestamp != nil {
		return false
	}
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
