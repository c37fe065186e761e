package components

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// debianPackages hold the programs and every shared library they load. The
// libraries come along because the suite's libc is newer than the machine's.
var debianPackages = []string{
	"valkey-server", "valkey-tools", "etcd-server", "nftables",
	"libc6", "libjemalloc2", "liblzf1", "libssl3t64", "libsystemd0", "libatomic1", "libcap2",
	"libstdc++6", "libgcc-s1", "zlib1g", "libzstd1",
	"libnftables1", "libnftnl11", "libmnl0", "libgmp10", "libjansson4", "libedit2", "libbsd0", "libmd0",
	"libtinfo6", "libxtables12",
}

// leastVersions are the packages whose version versions.env speaks of.
var leastVersions = map[string]string{"valkey-server": "VALKEY", "etcd-server": "ETCD", "nftables": "NFT"}

const debianKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

// oldServer is what a server that is too old is called beside the others. It
// loads the libraries of the newer suite.
const oldServer = "valkey-server-8"

// debian returns the folder into which the packages were unpacked.
func (c *cache) debian(ctx context.Context, v versions) (string, error) {
	want := []string{v["DEBIAN_SUITE"], v["VALKEY"], v["ETCD"], v["NFT"], v["OLD_DEBIAN_SUITE"], v["OLD_VALKEY"]}
	sum := sha256.Sum256([]byte(strings.Join(append(want, debianPackages...), " ")))
	key := fmt.Sprintf("debian-%s-valkey%s-%x", v["DEBIAN_SUITE"], v["VALKEY"], sum[:4])
	return c.entry(key, "Valkey, etcd and nft from Debian "+v["DEBIAN_SUITE"], func(dir string) error {
		least := map[string]string{}
		for pkg, name := range leastVersions {
			least[pkg] = v[name]
		}
		if err := unpackDebian(ctx, dir, v["DEBIAN_SUITE"], least, debianPackages...); err != nil {
			return err
		}
		old := filepath.Join(dir, "old")
		if err := unpackDebian(ctx, old, v["OLD_DEBIAN_SUITE"], map[string]string{"valkey-tools": v["OLD_VALKEY"]}, "valkey-tools"); err != nil {
			return err
		}
		// The server and the checkers are one program, which goes by its name.
		if err := os.Rename(filepath.Join(old, "usr/bin/valkey-check-rdb"), filepath.Join(dir, "usr/bin", oldServer)); err != nil {
			return err
		}
		return os.RemoveAll(old)
	})
}

// unpackDebian lets apt fetch and verify packages of a suite, with a sources list,
// lists and cache of its own, so that the machine's apt is neither used nor
// changed. A suite moves on: least are the least versions of some packages.
func unpackDebian(ctx context.Context, dir, suite string, least map[string]string, packages ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	apt, err := os.MkdirTemp(dir, "apt-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(apt)
	for _, d := range []string{"lists/partial", "cache/archives/partial", "debs"} {
		if err := os.MkdirAll(filepath.Join(apt, d), 0o755); err != nil {
			return err
		}
	}
	source := fmt.Sprintf("deb [signed-by=%s] http://deb.debian.org/debian %s main\n", debianKeyring, suite)
	if err := os.WriteFile(filepath.Join(apt, "sources.list"), []byte(source), 0o644); err != nil {
		return err
	}
	options := []string{
		"-oDir::Etc::SourceList=" + filepath.Join(apt, "sources.list"), "-oDir::Etc::SourceParts=/dev/null",
		"-oDir::State::Lists=" + filepath.Join(apt, "lists"), "-oDir::Cache=" + filepath.Join(apt, "cache"),
		// apt's own user may not write below root's cache folder.
		"-oAPT::Sandbox::User=root",
	}
	if _, err := output(ctx, apt, "apt-get", append(options, "-q", "update")...); err != nil {
		return err
	}
	for pkg, version := range least {
		if err := checkLeast(ctx, options, pkg, version); err != nil {
			return err
		}
	}
	debs := filepath.Join(apt, "debs")
	if _, err := output(ctx, debs, "apt-get", append(append(options, "-q", "download"), packages...)...); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(debs, "*.deb"))
	if err != nil {
		return err
	}
	if len(files) != len(packages) {
		return fmt.Errorf("apt-get downloaded %d of %d packages", len(files), len(packages))
	}
	for _, f := range files {
		if _, err := output(ctx, dir, "dpkg", "-x", f, dir); err != nil {
			return err
		}
	}
	return nil
}

// checkLeast fails if the suite's version of a package is older than wanted.
func checkLeast(ctx context.Context, options []string, pkg, least string) error {
	out, err := output(ctx, "", "apt-cache", append(options, "show", "--no-all-versions", pkg)...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		if have, ok := strings.CutPrefix(strings.TrimSpace(line), "Version: "); ok {
			if _, err := output(ctx, "", "dpkg", "--compare-versions", have, "ge", least); err != nil {
				return fmt.Errorf("the suite has %s %s, versions.env wants %s or later", pkg, have, least)
			}
			return nil
		}
	}
	return fmt.Errorf("the suite has no package %s", pkg)
}

// output runs a program and returns its standard output; what it said on
// standard error belongs to the error.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.Bytes(), nil
}
