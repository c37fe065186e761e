package podrunner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// container is one container of a pod over all its restarts. The pod's mutex
// guards state and what follows it.
type container struct {
	pod  *pod
	spec *corev1.Container

	state    corev1.ContainerState
	last     corev1.ContainerState
	ready    bool
	restarts int32
	pid      int
}

// supervise runs the container until the pod stops or the restart policy says
// that it is done.
func (c *container) supervise(ctx context.Context) {
	wait := retryPeriod
	for {
		code := c.runOnce(ctx)
		if c.pod.isStopping() || !c.mayRestart(code) {
			return
		}
		select {
		case <-c.pod.stopping:
			return
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, 10*time.Second)
		c.pod.mu.Lock()
		c.last, c.restarts = c.state, c.restarts+1
		c.pod.mu.Unlock()
	}
}

func (c *container) mayRestart(code int32) bool {
	switch c.pod.spec.Spec.RestartPolicy {
	case corev1.RestartPolicyNever:
		return false
	case corev1.RestartPolicyOnFailure:
		return code != 0
	}
	return true
}

// runOnce runs the container's process to its end and returns its exit code.
func (c *container) runOnce(ctx context.Context) int32 {
	began := metav1.Now()
	end := func(code int32, reason, message string) int32 {
		c.set(corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: code, Reason: reason, Message: message, StartedAt: began, FinishedAt: metav1.Now(),
		}}, false)
		return code
	}
	cmd, err := c.command(ctx)
	if err != nil {
		return end(128, "CreateContainerConfigError", err.Error())
	}
	logPath := c.pod.runner.LogFile(c.pod.spec.Namespace, c.pod.spec.Name, c.spec.Name)
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return end(128, "CreateContainerError", err.Error())
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := c.pod.netns.Do(cmd.Start); err != nil {
		return end(128, "RunContainerError", err.Error())
	}
	c.pod.mu.Lock()
	c.pid = cmd.Process.Pid
	c.pod.mu.Unlock()
	c.set(corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began}}, !c.hasProbe())
	done := make(chan struct{})
	go c.probe(done)
	go c.pod.endWhenStopping(cmd.Process.Pid, done)
	err = cmd.Wait()
	close(done)
	// What the process started and left behind belongs to the container.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	c.pod.mu.Lock()
	c.pid = 0
	c.pod.mu.Unlock()
	code := exitCode(err)
	if code == 0 {
		return end(0, "Completed", "")
	}
	return end(code, "Error", tail(logPath, 2048))
}

// endWhenStopping asks the process to end when the pod stops, and makes it after
// the grace period.
func (p *pod) endWhenStopping(pid int, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-p.stopping:
	}
	_ = syscall.Kill(-pid, syscall.SIGTERM)
	select {
	case <-done:
	case <-time.After(p.grace):
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// command prepares the process.
func (c *container) command(ctx context.Context) (*exec.Cmd, error) {
	s, err := c.sandbox(ctx, c.spec.Name)
	if err != nil {
		return nil, err
	}
	return s.command()
}

// sandbox is what the container runs, sees and is, in a root of its own.
func (c *container) sandbox(ctx context.Context, root string) (Sandbox, error) {
	p, image := c.pod, c.pod.runner.image(c.spec.Image)
	env, err := p.environment(ctx, c.spec)
	if err != nil {
		return Sandbox{}, err
	}
	service, err := p.serviceVariables(ctx)
	if err != nil {
		return Sandbox{}, err
	}
	s := Sandbox{Resolver: p.runner.resolver(p.spec.Namespace), Root: filepath.Join(p.dir, "root", root), Dir: c.spec.WorkingDir}
	command := c.spec.Command
	if len(command) == 0 {
		command = image.Entrypoint
	}
	for _, a := range slices.Concat(command, c.spec.Args) {
		s.Argv = append(s.Argv, expand(a, env))
	}
	if len(command) == 0 {
		// An image nobody described: a sidecar that only has to be there.
		s.Argv = []string{"sleep", "infinity"}
	}
	if err := c.identity(&s, image); err != nil {
		return Sandbox{}, err
	}
	s.Env = []string{"PATH=" + p.runner.Path, "HOME=/tmp", "HOSTNAME=" + p.spec.Name}
	for _, values := range []map[string]string{service, env} {
		for k, v := range values {
			s.Env = append(s.Env, k+"="+v)
		}
	}
	for _, dir := range p.runner.HostDirs {
		s.Mounts = append(s.Mounts, Mount{From: dir, To: dir, ReadOnly: true})
	}
	s.Mounts = append(s.Mounts, image.Mounts...)
	for _, m := range c.spec.VolumeMounts {
		from := filepath.Join(p.volumeDir(m.Name), m.SubPath)
		s.Mounts = append(s.Mounts, Mount{From: from, To: m.MountPath, ReadOnly: m.ReadOnly})
	}
	slices.SortStableFunc(s.Mounts, func(a, b Mount) int { return strings.Count(a.To, "/") - strings.Count(b.To, "/") })
	if err := os.MkdirAll(s.Root, 0o755); err != nil {
		return Sandbox{}, err
	}
	return s, nil
}

// identity is the user the container's security context asks for.
func (c *container) identity(s *Sandbox, image Image) error {
	s.UID = image.UID
	nonRoot := false
	if pod := c.pod.spec.Spec.SecurityContext; pod != nil {
		s.UID, s.GID = choose(pod.RunAsUser, s.UID), choose(pod.RunAsGroup, s.GID)
		nonRoot = isTrue(pod.RunAsNonRoot)
		if pod.FSGroup != nil {
			s.Groups = append(s.Groups, int(*pod.FSGroup))
		}
	}
	if own := c.spec.SecurityContext; own != nil {
		s.UID, s.GID = choose(own.RunAsUser, s.UID), choose(own.RunAsGroup, s.GID)
		nonRoot = nonRoot || isTrue(own.RunAsNonRoot)
		s.ReadOnlyRoot = isTrue(own.ReadOnlyRootFilesystem)
	}
	if nonRoot && s.UID == 0 {
		return fmt.Errorf("container has runAsNonRoot and image will run as root")
	}
	return nil
}

func (c *container) set(state corev1.ContainerState, ready bool) {
	c.pod.mu.Lock()
	c.state, c.ready = state, ready
	c.pod.mu.Unlock()
	c.pod.touch()
}

func (p *pod) isStopping() bool {
	select {
	case <-p.stopping:
		return true
	default:
		return false
	}
}

func (p *pod) signal(name string, signal syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.containers {
		if c.spec.Name == name && c.pid != 0 {
			return syscall.Kill(-c.pid, signal)
		}
	}
	return fmt.Errorf("pod %s has no running container %s", p.spec.Name, name)
}

func choose(own *int64, otherwise int) int {
	if own != nil {
		return int(*own)
	}
	return otherwise
}

// exitCode follows the shells: 128 and the signal's number for a process that a
// signal ended.
func exitCode(err error) int32 {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int32(status.Signal())
	}
	return int32(exit.ExitCode())
}

func tail(path string, length int) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text[max(0, len(text)-length):])
}
