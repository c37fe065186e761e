package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

func printHead(out io.Writer, base string) {
	fmt.Fprintf(out, "base: %s    tree: the working tree    ratio: tree/base, the median of the pairs\n\n", base)
	fmt.Fprintf(out, "%-15s %-27s %-27s %-13s %s\n", "", "wall ms min/median", "CPU ms min/median", "ratio", "peak MB")
	fmt.Fprintf(out, "%-15s %13s %13s %13s %13s %6s %6s %5s %5s\n", "command shards", "base", "tree", "base", "tree", "wall", "CPU", "base", "tree")
}

func printLine(out io.Writer, name string, shards int, t [2]timing) {
	fmt.Fprintf(out, "%-8s %6d", name, shards)
	for _, of := range []func(timing) []time.Duration{wall, cpu} {
		for _, timing := range t {
			durations := of(timing)
			fmt.Fprintf(out, " %13s", fmt.Sprintf("%.1f/%.1f", milliseconds(slices.Min(durations)), milliseconds(median(durations))))
		}
	}
	for _, of := range []func(timing) []time.Duration{wall, cpu} {
		fmt.Fprintf(out, " %6.2f", ratio(of(t[ofBase]), of(t[ofTree])))
	}
	for _, timing := range t {
		fmt.Fprintf(out, " %5.0f", float64(timing.peak)/(1<<20))
	}
	fmt.Fprintln(out)
}

func wall(t timing) []time.Duration { return t.wall }

func cpu(t timing) []time.Duration { return t.cpu }

// ratio is the median of what each run took, divided by what the run before it, of
// the base, took.
func ratio(base, tree []time.Duration) float64 {
	ratios := make([]float64, len(base))
	for i := range base {
		ratios[i] = float64(tree[i]) / float64(base[i])
	}
	return median(ratios)
}

// median is the middle one; of two in the middle, the greater.
func median[T time.Duration | float64](all []T) T {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
