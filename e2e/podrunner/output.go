package podrunner

import (
	"bytes"
	"context"
	"fmt"
	"syscall"
)

// Output runs the sandbox's command in a network namespace to its end and
// returns its standard output. What it said on standard error is in the error.
func (s Sandbox) Output(ctx context.Context, n *NetNS) (string, error) {
	cmd, err := s.command()
	if err != nil {
		return "", err
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := n.Do(cmd.Start); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer stop()
	if err := cmd.Wait(); err != nil {
		return stdout.String(), fmt.Errorf("%s: %w: %s", s.Argv[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}
