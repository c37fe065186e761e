package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// timing is what the runs of one build took, from exec to exit.
type timing struct {
	wall, cpu []time.Duration
	peak      int64 // the largest resident set, in bytes; 0 if the system does not tell
}

// measure runs a command of both builds in turn, once without counting.
func measure(ctx context.Context, c timed, runs int) (timings [2]timing, err error) {
	for i := range runs + 1 {
		for build := range timings {
			once, err := runOnce(ctx, c.args[build])
			if err != nil {
				return timings, err
			}
			if i > 0 {
				timings[build].add(once)
			}
		}
	}
	return timings, nil
}

func (t *timing) add(other timing) {
	t.wall = append(t.wall, other.wall...)
	t.cpu = append(t.cpu, other.cpu...)
	t.peak = max(t.peak, other.peak)
}

func runOnce(ctx context.Context, args []string) (timing, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return timing{}, fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	return timing{
		wall: []time.Duration{time.Since(start)},
		cpu:  []time.Duration{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()},
		peak: peak(cmd.ProcessState),
	}, nil
}
