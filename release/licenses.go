package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenseFile is a file with terms that go with a program in binary form.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

// licenses are the terms of every module in the program, whatever the platform, and
// of Go's own library: most demand to be handed on with the binary.
func (r *release) licenses(ctx context.Context) ([]byte, error) {
	modules := map[string]string{} // name and version, to folder
	for _, p := range r.platforms {
		cmd := r.command(ctx, r.source, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/"+program)
		cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.arch)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("listing the modules: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			if name, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				modules[name] = folder
			}
		}
	}
	root, err := r.command(ctx, r.source, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	modules["Go's standard library"] = strings.TrimSpace(string(root))

	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		entries, err := os.ReadDir(modules[name])
		if err != nil {
			return nil, err
		}
		found := false
		for _, entry := range entries {
			if entry.IsDir() || !licenseFile.MatchString(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(modules[name], entry.Name()))
			if err != nil {
				return nil, err
			}
			found = true
			fmt.Fprintf(&all, "==== %s: %s\n\n%s\n\n", name, entry.Name(), bytes.TrimSpace(text))
		}
		if !found {
			return nil, fmt.Errorf("%s has no license in its folder", name)
		}
	}
	return all.Bytes(), nil
}
