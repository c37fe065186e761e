package components

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// programs puts a starter for each packaged program into the set's Bin. The
// folder is rewritten on every run, since the variables may have changed.
func (c *cache) programs(ctx context.Context, v versions, s *Set) error {
	s.Bin = filepath.Join(c.dir, "bin")
	if err := os.MkdirAll(s.Bin, 0o755); err != nil {
		return err
	}
	s.HostDirs = []string{s.Bin}
	var root string
	if haveApt() {
		var err error
		if root, err = c.debian(ctx, v); err != nil {
			return err
		}
		s.HostDirs = append(s.HostDirs, root)
	}
	for _, p := range packaged {
		script, err := starter(root, p.name, p.variable, s)
		if err != nil {
			return err
		}
		if err := writeProgram(filepath.Join(s.Bin, p.name), script); err != nil {
			return err
		}
	}
	return nil
}

// starter is a script that becomes the program. A packaged one is started by
// the dynamic loader that came with it, since the machine's libc is older.
func starter(root, name, variable string, s *Set) (string, error) {
	if path, err := provided(name, variable); err == nil {
		s.HostDirs = append(s.HostDirs, filepath.Dir(path))
		return fmt.Sprintf("#!/bin/sh\nexec %q \"$@\"\n", path), nil
	} else if root == "" || os.Getenv(variable) != "" {
		return "", fmt.Errorf("finding %s (%s=%q): %w", name, variable, os.Getenv(variable), err)
	}
	loaders, _ := filepath.Glob(filepath.Join(root, "usr/lib/*/ld-linux*.so.*"))
	programs, _ := filepath.Glob(filepath.Join(root, "usr/*bin", name))
	if len(loaders) != 1 || len(programs) != 1 {
		return "", fmt.Errorf("%s: %d loaders and %d programs named %s", root, len(loaders), len(programs), name)
	}
	return fmt.Sprintf("#!/bin/sh\nexec %q --argv0 %s --library-path %q %q \"$@\"\n",
		loaders[0], name, filepath.Dir(loaders[0]), programs[0]), nil
}

// writeProgram replaces a script in one step: another run may be executing it.
func writeProgram(path, script string) error {
	if have, err := os.ReadFile(path); err == nil && string(have) == script {
		return nil
	}
	tmp := path + ".new"
	if err := os.WriteFile(tmp, []byte(script), 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
