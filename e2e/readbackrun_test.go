package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// realImage is the image of Jobs that run the read-back program. The Jobs of
// other tests name an image that does nothing.
const realImage = "readback.example.com/valkey-readback:built"

// rendered renders with the image of the real program.
func rendered(b *bed.Bed, cluster string, flags ...string) string {
	b.T.Helper()
	b.Runner().AddImage(realImage, podrunner.Image{
		Entrypoint: []string{"/valkey-readback"},
		UID:        65532,
		Mounts:     []podrunner.Mount{{From: product.Program(b.T, "valkey-readback"), To: "/valkey-readback"}},
	})
	return product.Render(b.T, cluster, append(flags, "--readback-image", realImage)...)
}

// readsBack applies a rendered cluster and brings it up; the Job is there and
// waits for the pods.
func readsBack(b *bed.Bed, manifests string) *operator.Cluster {
	b.T.Helper()
	b.Apply(without(b.T, manifests, "Job"))
	inForce(b)
	b.Apply(kinds(b.T, manifests, "Job"))
	c := operator.For(b, clusterName)
	c.Up()
	return c
}

// upWithoutJob applies a rendered cluster but the Job, and brings it up: the test
// runs the program itself.
func upWithoutJob(b *bed.Bed, manifests string) *operator.Cluster {
	b.T.Helper()
	b.Apply(without(b.T, manifests, "Job"))
	inForce(b)
	c := operator.For(b, clusterName)
	c.Up()
	return c
}

// renew deletes the Service of a shard and applies it again until it has other
// node ports: they are allocated by chance.
func renew(b *bed.Bed, manifests string, shard int) {
	b.T.Helper()
	old := service(b, shard).Spec.Ports[0].NodePort
	b.Eventually("the Service to get another port", func() error {
		prune(b, "services", serviceName(shard))
		b.Apply(kinds(b.T, manifests, "Service"))
		if service(b, shard).Spec.Ports[0].NodePort == old {
			return errors.New("it has the one of before")
		}
		return nil
	})
}

// jobEnds waits for the rendered Job to complete and returns what its pods logged.
// A Job that fails fails the test.
func jobEnds(b *bed.Bed, manifests string) string {
	b.T.Helper()
	ended, log := jobEnded(b, manifests)
	if jobCondition(ended, batchv1.JobComplete) == nil {
		b.T.Fatalf("the Job is not complete: %v\n%s", ended.Status.Conditions, log)
	}
	return log
}

// jobEnded waits for the rendered Job to complete or fail.
func jobEnded(b *bed.Bed, manifests string) (ended *batchv1.Job, log string) {
	b.T.Helper()
	name := jobName(b, manifests)
	ended = bed.WaitFor(b, bed.Jobs, b.Namespace, name, "to end", func(j *batchv1.Job) bool {
		return jobCondition(j, batchv1.JobComplete) != nil || jobCondition(j, batchv1.JobFailed) != nil
	})
	log, err := jobLog(b, name)
	if err != nil {
		b.T.Fatal(err)
	}
	return ended, log
}

// jobName is the name of the rendered Job.
func jobName(b *bed.Bed, manifests string) string {
	b.T.Helper()
	jobs, err := bed.Decode(kinds(b.T, manifests, "Job"))
	if err != nil || len(jobs) != 1 {
		b.T.Fatalf("%d jobs: %v", len(jobs), err)
	}
	return jobs[0].GetName()
}

// jobCondition is a condition that holds, nil if it does not.
func jobCondition(j *batchv1.Job, kind batchv1.JobConditionType) *batchv1.JobCondition {
	for _, c := range j.Status.Conditions {
		if c.Type == kind && c.Status == corev1.ConditionTrue {
			return &c
		}
	}
	return nil
}

// jobLog is what the pods of a Job have logged so far.
func jobLog(b *bed.Bed, job string) (string, error) {
	pods, err := b.Kube().CoreV1().Pods(b.Namespace).List(b.T.Context(), metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + job})
	if err != nil {
		return "", err
	}
	var log strings.Builder
	for _, p := range pods.Items {
		text, err := os.ReadFile(b.Runner().LogFile(b.Namespace, p.Name, "readback"))
		if err != nil {
			return "", err
		}
		log.Write(text)
	}
	return log.String(), nil
}

// outcome is how a run of the program ended.
type outcome struct {
	code           int
	stdout, stderr string
	resident       int // the most it had in memory, in KiB
}

// runReadback runs the program on the node, with the plan of the manifests.
// Flags come last, so that they win.
func runReadback(b *bed.Bed, manifests string, flags ...string) outcome {
	b.T.Helper()
	return runReadbackAt(b, manifests, "", nil, flags...)
}

// runReadbackAt does something once, at the first line of the log with a text in
// it. The line must come.
func runReadbackAt(b *bed.Bed, manifests, at string, do func(*os.Process), flags ...string) outcome {
	b.T.Helper()
	dir := b.T.TempDir()
	plan, password := filepath.Join(dir, "plan.json"), filepath.Join(dir, "password")
	writeFile(b.T, plan, planOf(b.T, manifests))
	writeFile(b.T, password, operator.OperatorPassword)
	args := append([]string{"--kubeconfig", b.Kubeconfig(), "--namespace", b.Namespace, "--plan", plan,
		"--password-file", password, "--timeout", "60s"}, flags...)
	cmd := exec.CommandContext(b.T.Context(), product.Program(b.T, "valkey-readback"), args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		b.T.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.T.Fatal(err)
	}
	resident := 0
	lines := bufio.NewScanner(io.TeeReader(pipe, &stderr))
	for lines.Scan() {
		resident = max(resident, peakMemory(cmd.Process.Pid))
		if do != nil && strings.Contains(lines.Text(), at) {
			do(cmd.Process)
			do = nil
		}
	}
	if do != nil {
		b.T.Errorf("the run did not get as far as %s:\n%s", at, &stderr)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.T.Fatal(err)
	}
	o := outcome{
		code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(),
		resident: resident,
	}
	for _, secret := range []string{operator.OperatorPassword, "wrong-secret"} {
		if strings.Contains(o.stdout+o.stderr, secret) {
			b.T.Errorf("a password is printed:\n%s%s", o.stdout, o.stderr)
		}
	}
	return o
}

// peakMemory is the most a process has had in memory, in KiB; 0 if it is gone.
// What it used as a copy of the test, before it became the program, does not
// count.
func peakMemory(pid int) (kib int) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	_, _ = fmt.Sscan(line, &kib)
	return kib
}

// must fails the test unless the run ended with a code and said something.
func (o outcome) must(b *bed.Bed, code int, says string) {
	b.T.Helper()
	if o.code != code || !strings.Contains(o.stderr, says) {
		b.T.Errorf("exit code %d, want %d and %q in:\n%s", o.code, code, says, o.stderr)
	}
}

// planOf is the Plan in the rendered ConfigMap.
func planOf(t testing.TB, manifests string) string {
	t.Helper()
	objects, err := bed.Decode(kinds(t, manifests, "ConfigMap"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		data, _ := o.Object["data"].(map[string]any)
		if text, ok := data["plan.json"].(string); ok {
			return text
		}
	}
	t.Fatal("no plan is rendered")
	return ""
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// endpointsMap is the ConfigMap that the program fills.
func endpointsMap(b *bed.Bed) *corev1.ConfigMap {
	b.T.Helper()
	m, err := b.Kube().CoreV1().ConfigMaps(b.Namespace).Get(b.T.Context(), "valkey-"+clusterName+"-external-endpoints", metav1.GetOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
	return m
}

// recordsNodePorts compares the ConfigMap with what the Services have.
func recordsNodePorts(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	want := map[string]string{}
	var bootstrap []string
	for _, n := range c.Nodes() {
		port := service(b, n.Shard).Spec.Ports[n.Index].NodePort
		want[fmt.Sprintf("%d-%d.allocated.conf", n.Shard, n.Index)] =
			fmt.Sprintf("cluster-announce-client-port %d\ncluster-preferred-endpoint-type hostname\n", port)
		bootstrap = append(bootstrap, fmt.Sprintf("%s:%d", hostname(n.Shard), port))
	}
	want["bootstrap"] = strings.Join(bootstrap, ",")
	got := endpointsMap(b).Data
	for key, text := range want {
		if got[key] != text {
			b.T.Errorf("%s is %q, not %q", key, got[key], text)
		}
	}
	if len(got) != len(want)+1 || !strings.Contains(got["endpoints.json"], `"node":"orders-0-1"`) {
		b.T.Errorf("the ConfigMap holds %v", got)
	}
}

// announcesNodePorts asks every node, and compares with what the Services have.
func announcesNodePorts(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	announces(b, c, func(n operator.Node) int { return int(service(b, n.Shard).Spec.Ports[n.Index].NodePort) })
}

// settingsOf are all that a node has of what may be announced.
func settingsOf(c *operator.Cluster, n operator.Node) map[string]string {
	settings := map[string]string{}
	lines := strings.Split(c.Valkey(n, "CONFIG", "GET", "cluster-announce-*", "cluster-preferred-endpoint-type"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		settings[lines[i]] = lines[i+1]
	}
	return settings
}
