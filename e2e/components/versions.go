package components

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed versions.env
var versionsFile string

// versions are the values of versions.env by name.
type versions map[string]string

// parseVersions reads NAME=value lines; blank lines and lines that start with
// # count for nothing.
func parseVersions(text string) (versions, error) {
	v := versions{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("versions.env:%d: want NAME=value", i+1)
		}
		v[name] = value
	}
	for _, name := range []string{"KUBERNETES", "GATEWAY_API", "TRAEFIK", "COREDNS", "DEBIAN_SUITE", "VALKEY", "ETCD", "NFT"} {
		if v[name] == "" {
			return nil, fmt.Errorf("versions.env: %s is missing", name)
		}
	}
	return v, nil
}
