// Command bench times the program of the working tree beside that of another
// commit: make bench. Both take turns, so that a machine that is slow for a while is
// slow for both; of the figures, the ratio alone says anything on another machine.
// It judges nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program. It returns the exit code: 0, 1 if something failed, 2 on misuse.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	base := flags.String("base", "HEAD~1", "`commit` to compare with")
	runs := flags.Int("runs", 20, "counted runs of each command and build")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 || *runs < 1 {
		fmt.Fprintln(stderr, "bench: error: takes no arguments, and one run at least")
		return 2
	}
	if err := compare(ctx, *base, *runs, stdout); err != nil {
		fmt.Fprintln(stderr, "bench: error:", err)
		return 1
	}
	return 0
}

// compare builds both programs, and prints a line for each command as soon as it has
// been timed.
func compare(ctx context.Context, base string, runs int, stdout io.Writer) error {
	folder, err := os.MkdirTemp("", "valkey-expose-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	programs, err := buildBoth(ctx, base, folder)
	if err != nil {
		return err
	}
	printHead(stdout, base)
	for _, shards := range []int{3, 100, 1000} {
		commands, err := prepare(ctx, folder, shards, programs)
		if err != nil {
			return err
		}
		for _, c := range commands {
			timings, err := measure(ctx, c, runs)
			if err != nil {
				return err
			}
			printLine(stdout, c.name, shards, timings)
		}
	}
	return nil
}
