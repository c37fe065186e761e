package main

import (
	"strings"
	"testing"
	"time"
)

func TestLine(t *testing.T) {
	ms := func(all ...time.Duration) []time.Duration {
		for i := range all {
			all[i] *= time.Millisecond
		}
		return all
	}
	var out strings.Builder
	printLine(&out, "render", 1000, [2]timing{
		ofBase: {wall: ms(400, 200, 300), cpu: ms(300, 100, 200), peak: 100 << 20},
		ofTree: {wall: ms(100, 150, 150), cpu: ms(30, 50, 80), peak: 50 << 20},
	})
	// The pairs' ratios are 0.25, 0.75 and 0.5 of wall time, 0.1, 0.5 and 0.4 of CPU time.
	want := "render     1000   200.0/300.0   100.0/150.0   100.0/200.0     30.0/50.0   0.50   0.40   100    50\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
