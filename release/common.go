package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// file is one of an archive's.
type file struct {
	name string // with slashes
	text []byte
	mode int64
}

// common are the files that every archive has: licenses, manual pages, completions.
func (r *release) common(ctx context.Context) ([]file, error) {
	license, err := r.readFile("LICENSE")
	if err != nil {
		return nil, err
	}
	others, err := r.licenses(ctx)
	if err != nil {
		return nil, err
	}
	files := []file{{"LICENSE", license, 0o644}, {"THIRD_PARTY_LICENSES", others, 0o644}}
	completions, err := r.completions(ctx)
	if err != nil {
		return nil, err
	}
	pages, err := r.pages(ctx)
	if err != nil {
		return nil, err
	}
	return append(append(files, completions...), pages...), nil
}

// completions are the scripts for shells, under the names that shells look for.
func (r *release) completions(ctx context.Context) ([]file, error) {
	var files []file
	for _, shell := range []struct{ name, file string }{
		{"bash", program}, {"fish", program + ".fish"}, {"powershell", program + ".ps1"}, {"zsh", "_" + program},
	} {
		cmd := r.command(ctx, r.source, "go", "run", "./cmd/"+program, "completion", shell.name)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("writing the completion for %s: %w\n%s", shell.name, err, &stderr)
		}
		files = append(files, file{"completions/" + shell.name + "/" + shell.file, text, 0o644})
	}
	return files, nil
}

// pages are the manual pages of every command.
func (r *release) pages(ctx context.Context) ([]file, error) {
	folder := filepath.Join(r.work, "man")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return nil, err
	}
	cmd := r.command(ctx, r.source, "go", "run", "-tags", "man", "-ldflags", "-X main.version="+r.version, "./cmd/"+program, folder)
	if err := output(cmd, "writing the manual pages"); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{"man/man1/" + entry.Name(), text, 0o644})
	}
	return files, nil
}
