package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// The builds that are compared; an array of two goes by these.
const (
	ofBase = iota
	ofTree
)

// buildBoth builds the program of a commit and that of the working tree, as make
// build does, and returns their paths.
func buildBoth(ctx context.Context, base, folder string) (programs [2]string, err error) {
	worktree := filepath.Join(folder, "base")
	if err := command(ctx, ".", "git", "worktree", "add", "--detach", worktree, base); err != nil {
		return programs, err
	}
	// A worktree whose folder is gone stays on Git's list. What was interrupted is taken off as well.
	defer func() {
		removal := command(context.WithoutCancel(ctx), ".", "git", "worktree", "remove", "--force", worktree)
		if err == nil {
			err = removal
		}
	}()
	programs = [2]string{ofBase: filepath.Join(folder, "valkey-expose-base"), ofTree: filepath.Join(folder, "valkey-expose-tree")}
	for i, source := range [2]string{ofBase: worktree, ofTree: "."} {
		if err := command(ctx, source, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", programs[i], "./cmd/valkey-expose"); err != nil {
			return programs, err
		}
	}
	return programs, nil
}

// command runs a command in a folder; its output is part of the error.
func command(ctx context.Context, folder, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}
