package bed

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a component that runs until the namespaces go.
type process struct {
	name    string
	log     string
	command *exec.Cmd
	done    chan struct{}
	err     error // set when done is closed
}

// startProcess starts a program whose output goes to <name>.log.
func startProcess(name, program string, args ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(logDir, name+".log"), done: make(chan struct{})}
	out, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir = runDir
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p.command = cmd
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// until waits for a condition that no watch can tell, because what would serve
// the watch is what is being waited for. It gives up when the process ends.
func (p *process) until(ctx context.Context, holds func() error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := holds()
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended: %v\n%s", p.name, p.err, tail(p.log))
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w\n%s", p.name, err, tail(p.log))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// untilReady waits for a server to call itself ready. The token is for the API
// server; another takes no notice.
func (p *process) untilReady(ctx context.Context, client *http.Client, url string) error {
	return p.until(ctx, func() error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+adminToken)
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz: %s", response.Status)
		}
		return nil
	})
}

// kill ends a process and waits until it is gone.
func (p *process) kill() error {
	if err := p.command.Process.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.done
	return nil
}
