package podrunner

import (
	"context"
	"fmt"
)

// Exec runs a command beside a pod's first container, with what that sees, and
// returns its standard output.
func (r *Runner) Exec(ctx context.Context, namespace, name string, argv ...string) (string, error) {
	p, err := r.find(namespace, name)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	r.next++
	root := fmt.Sprintf("exec-%d", r.next)
	r.mu.Unlock()
	s, err := p.containers[0].sandbox(ctx, root)
	if err != nil {
		return "", err
	}
	s.Argv = argv
	return s.Output(ctx, p.netns)
}

// Inside runs f in a pod's network namespace, as NetNS.Do does.
func (r *Runner) Inside(namespace, name string, f func() error) error {
	p, err := r.find(namespace, name)
	if err != nil {
		return err
	}
	return p.netns.Do(f)
}
