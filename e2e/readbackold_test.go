package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// A server before 9.0 has no client port to announce: it is refused with the
// version found, and nothing is written. It runs on the node, at an address on the
// pods' side, which a pod is made to have.
func TestReadbackRefusesAnOldServer(t *testing.T) {
	t.Parallel()
	b := start(t)
	cluster := strings.Replace(input(b, 1, hostnames, ""), "replicas: 1", "replicas: 0", 1)
	manifests := rendered(b, cluster)
	b.Apply(kinds(t, manifests, "Service", "ConfigMap", "ValkeyCluster"))
	c := operator.For(b, clusterName)
	readyPods(b, c)
	pod, err := b.Kube().CoreV1().Pods(b.Namespace).Get(t.Context(), "valkey-"+clusterName+"-0-0-0", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pod.Status.PodIP, pod.Status.PodIPs = bed.PodGateway, []corev1.PodIP{{IP: bed.PodGateway}}
	if _, err := b.Kube().CoreV1().Pods(b.Namespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	users := filepath.Join(dir, "users.acl")
	writeFile(t, users, fmt.Sprintf("user default on nopass ~* &* +@all\nuser %s on >%s +@connection +config|set +config|get +cluster|nodes +info\n",
		operator.OperatorUser, operator.OperatorPassword))
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	server := exec.Command("valkey-server-8", "--bind", bed.PodGateway, "--port", "6379", "--cluster-enabled", "yes", "--protected-mode", "no", "--dir", dir, "--aclfile", users)
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	b.Eventually("the server to answer", func() error {
		out, err := exec.Command("valkey-cli", "-h", bed.PodGateway, "PING").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "PONG") {
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("%v: %s%s", err, out, text)
		}
		return nil
	})
	runReadback(b, manifests).must(b, 1, "runs Valkey 8.")
	if data := endpointsMap(b).Data; len(data) > 0 {
		t.Errorf("the ConfigMap holds %v", data)
	}
}
