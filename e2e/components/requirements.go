package components

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// packaged are the programs that come as Debian packages, with the variable
// that names another installation of each.
var packaged = []struct{ name, variable string }{
	{"valkey-server", "VALKEY_SERVER"},
	{"valkey-cli", "VALKEY_CLI"},
	{oldServer, "VALKEY_8_SERVER"},
	{"etcd", "ETCD"},
	{"nft", "NFT"},
}

// requirements reports everything that is missing on this machine in one error.
func requirements() error {
	var missing []string
	if runtime.GOOS != "linux" {
		missing = append(missing, "Linux: every pod lives in a network namespace")
	}
	if os.Geteuid() != 0 {
		missing = append(missing, "root: it makes namespaces, mounts and nftables rules, all of them private to the run")
	}
	if _, err := exec.LookPath("go"); err != nil {
		missing = append(missing, "go on the PATH: it builds Kubernetes and the product")
	}
	if !haveApt() {
		for _, p := range packaged {
			if _, err := provided(p.name, p.variable); err != nil {
				missing = append(missing, "apt-get and dpkg, or "+p.variable+" set to the path of "+p.name)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return errors.New("the testbed cannot run here; missing:\n  - " + strings.Join(missing, "\n  - "))
}

func haveApt() bool {
	for _, name := range []string{"apt-get", "apt-cache", "dpkg"} {
		if _, err := exec.LookPath(name); err != nil {
			return false
		}
	}
	return true
}

// provided is the program the user points at, or, on a machine without apt, the
// one on the PATH.
func provided(name, variable string) (string, error) {
	if path := os.Getenv(variable); path != "" {
		return exec.LookPath(path)
	}
	if haveApt() {
		return "", exec.ErrNotFound
	}
	return exec.LookPath(name)
}
