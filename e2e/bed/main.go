// Package bed is a Kubernetes cluster of real components on one machine: etcd,
// kube-apiserver, kube-controller-manager and kube-proxy, pods as processes in
// network namespaces of their own, and a client host outside that reaches the
// node's address and nothing else. Only the kubelet is replaced, by package
// podrunner.
//
// It decides on your behalf: a test package runs in a PID, mount and network
// namespace of its own, which Main makes. The kernel ends every process and
// drops every mount, interface, rule and file of the run when the first process
// of that namespace goes, however it goes. So nothing here cleans up, and
// nothing can forget to.
package bed

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/valkey-expose/valkey-expose/e2e/components"
	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
)

// insideVariable carries the components to the process in the namespaces, and
// tells that process that it is there.
const insideVariable = "VALKEY_EXPOSE_BED"

// Main is a test package's whole TestMain. It does not return.
func Main(m *testing.M, want components.Want) {
	podrunner.RunContainerIfAsked()
	encoded, inside := os.LookupEnv(insideVariable)
	if !inside {
		os.Exit(outside(want))
	}
	if err := enter(encoded); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: error: entering the namespaces:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// outside prepares what needs the machine's network, then runs this program
// again as the first process of new namespaces.
func outside(want components.Want) int {
	// go test that is killed does not take its children along.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: error:", err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	set, err := components.Ensure(ctx, os.Stderr, want)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e: error:", err)
		return 1
	}
	encoded, err := json.Marshal(set)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e: error:", err)
		return 1
	}
	// The parent-death signal is sent when the thread that forked ends.
	runtime.LockOSThread()
	cmd := exec.CommandContext(ctx, "/proc/self/exe", os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(withoutEnv(os.Environ(), "TMPDIR", "PATH"),
		insideVariable+"="+string(encoded), "TMPDIR="+tempDir, "PATH="+set.Bin+":"+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS,
		Pdeathsig:  syscall.SIGKILL,
	}
	err = cmd.Run()
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "e2e: interrupted; everything it started is gone")
		return 130
	}
	if err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "e2e: error: making the namespaces:", err)
		return 1
	}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		return code
	}
	fmt.Fprintln(os.Stderr, "e2e: error: the test process was ended:", cmd.ProcessState)
	return 1
}

func withoutEnv(env []string, names ...string) []string {
	var kept []string
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(names, name) {
			kept = append(kept, e)
		}
	}
	return kept
}
