package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestMountedFilesAreRefreshedLate: as with a kubelet, a container that restarts
// in its pod still sees the announcement of before; a new pod sees the new one;
// and after the refresh a restarted container sees it, too.
func TestMountedFilesAreRefreshedLate(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.VolumeRefresh(time.Hour)
	b.Apply(product.Render(t, input(b, 1, hostnames, "")))
	inForce(b)
	c := operator.For(b, clusterName)
	c.Up()
	node := operator.Node{Shard: 0, Index: 0}

	rename(b, "first.example.com")
	restartContainer(b, c, node)
	if got := announcedHostname(c, node); got != hostname(0) {
		t.Errorf("restarted in its pod, the node announces %s", got)
	}

	b.VolumeRefresh(time.Second)
	c.DeletePod(node)
	if got := announcedHostname(c, node); got != "first.example.com" {
		t.Errorf("in a new pod, the node announces %s", got)
	}

	rename(b, "second.example.com")
	b.Eventually("a restarted container to see the refreshed file", func() error {
		restartContainer(b, c, node)
		if got := announcedHostname(c, node); got != "second.example.com" {
			return errors.New("the node announces " + got)
		}
		return nil
	})
}

// rename changes the announced hostname of node 0-0 in its file.
func rename(b *bed.Bed, hostname string) {
	b.T.Helper()
	patch := `{"data": {"0-0.static.conf": "cluster-announce-hostname ` + hostname + `\n"}}`
	_, err := b.Kube().CoreV1().ConfigMaps(b.Namespace).Patch(b.T.Context(), "valkey-"+clusterName+"-announce",
		types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
}

// restartContainer ends the server and waits until the same pod is Ready again.
func restartContainer(b *bed.Bed, c *operator.Cluster, n operator.Node) {
	b.T.Helper()
	before := c.Pod(n)
	// A server that ends gives no answer, whichever way its client takes that.
	_, _ = b.TryValkey(before.Name, "SHUTDOWN", "NOSAVE")
	bed.WaitFor(b, bed.Pods, b.Namespace, before.Name, "to be Ready after a restart", func(p *corev1.Pod) bool {
		return bed.IsReady(p) && restarts(p) > restarts(before)
	})
}

func restarts(p *corev1.Pod) (n int32) {
	for _, s := range p.Status.ContainerStatuses {
		n += s.RestartCount
	}
	return n
}

func announcedHostname(c *operator.Cluster, n operator.Node) string {
	_, value, _ := strings.Cut(c.Valkey(n, "CONFIG", "GET", "cluster-announce-hostname"), "\n")
	return value
}
