package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// home is where the project lives, and its releases can be had.
const home = "https://github.com/valkey-expose/valkey-expose"

// krewHead is the manifest of the kubectl plugin, but for its platforms: home,
// program and version go in.
const krewHead = `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: %[2]s
spec:
  version: %[3]s
  homepage: %[1]s
  shortDescription: Make Valkey clusters reachable from outside
  description: |
    Declare externalAccess in a ValkeyCluster, and static YAML makes the sharded
    Valkey cluster reachable from outside Kubernetes, redirects included, with the
    valkey-operator as it is. The plugin checks the declaration and renders the
    manifests; it touches no cluster.
  platforms:
`

const krewPlatform = `  - selector:
      matchLabels:
        os: %s
        arch: %s
    uri: %s/releases/download/%s/%s
    sha256: %s
    bin: %s
    files:
    - from: %[7]s
      to: .
    - from: LICENSE
      to: .
    - from: THIRD_PARTY_LICENSES
      to: .
`

// krew writes the manifest with which krew installs the program as the kubectl
// plugin of its name.
func (r *release) krew(archives []archive) error {
	var text strings.Builder
	fmt.Fprintf(&text, krewHead, home, program, r.version)
	for _, a := range archives {
		fmt.Fprintf(&text, krewPlatform, a.platform.system, a.platform.arch, home, r.version, a.file, a.sum, a.binary)
	}
	return os.WriteFile(filepath.Join(r.out, program+".krew.yaml"), []byte(text.String()), 0o644)
}
