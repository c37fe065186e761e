package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// A deployment is a folder of rendered files that a user keeps and applies.
type deployment struct {
	b   *bed.Bed
	dir string
}

func newDeployment(b *bed.Bed) deployment {
	return deployment{b, filepath.Join(b.T.TempDir(), "deploy")}
}

// render writes the folder anew.
func (d deployment) render(cluster string, flags ...string) {
	d.b.T.Helper()
	rendered(d.b, cluster, append(flags, "-o", d.dir)...)
	if text, err := os.ReadFile(filepath.Join(d.dir, "policy.yaml")); err == nil {
		d.b.DeleteAtEnd(string(text))
	}
}

// apply applies the folder as a user does, in one go.
func (d deployment) apply() {
	d.b.T.Helper()
	d.b.Kubectl("", "apply", "--server-side", "-k", d.dir)
}

// done waits until the Job of the folder has announced.
func (d deployment) done() {
	d.b.T.Helper()
	jobEnds(d.b, d.build())
}

// commit keeps the folder's state in Git, as a user does.
func (d deployment) commit(message string) {
	d.b.T.Helper()
	d.git("init", "-q")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", message)
}

// revert takes the last commit back.
func (d deployment) revert() {
	d.b.T.Helper()
	d.git("revert", "--no-edit", "HEAD")
}

// git runs git in the repository that has the folder.
func (d deployment) git(args ...string) string {
	d.b.T.Helper()
	as := []string{"-C", filepath.Dir(d.dir), "-c", "user.name=somebody", "-c", "user.email=somebody@example.com"}
	out, err := exec.CommandContext(d.b.T.Context(), "git", append(as, args...)...).Output()
	if err != nil {
		d.b.T.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// build is all that the folder holds.
func (d deployment) build() string {
	d.b.T.Helper()
	manifests, err := d.b.Kustomize("build", d.dir)
	if err != nil {
		d.b.T.Fatal(err)
	}
	return manifests
}

// job is the folder's Job as the API server has it.
func (d deployment) job() *batchv1.Job {
	d.b.T.Helper()
	jobs, err := bed.Decode(kinds(d.b.T, d.build(), "Job"))
	if err != nil || len(jobs) != 1 {
		d.b.T.Fatalf("%d jobs: %v", len(jobs), err)
	}
	job, err := d.b.Kube().BatchV1().Jobs(d.b.Namespace).Get(d.b.T.Context(), jobs[0].GetName(), metav1.GetOptions{})
	if err != nil {
		d.b.T.Fatal(err)
	}
	return job
}

// prefers asks every node whether it tells clients to use what is preferred, under the
// hostnames of a domain.
func prefers(b *bed.Bed, c *operator.Cluster, preferred, domain string) {
	b.T.Helper()
	for _, n := range c.Nodes() {
		s := settingsOf(c, n)
		want := fmt.Sprintf("shard-%d.%s", n.Shard, domain)
		if s["cluster-preferred-endpoint-type"] != preferred || s["cluster-announce-hostname"] != want {
			b.T.Errorf("%v has %v, not %s and %s", n, s, preferred, want)
		}
	}
}
