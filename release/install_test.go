package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// testInstall runs every command of docs/install.md, and what the README says of go
// install, beside the release. Only what is not here is stood in for: a registry
// by a folder, an engine for containers by the image's files, GitHub by a folder
// that has the module.
func testInstall(t *testing.T, folder string) {
	home, stubs := t.TempDir(), t.TempDir()
	if err := os.CopyFS(home, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(home, "cluster.yaml"), read(t, "../examples/cluster.yaml"))
	pushed := filepath.Join(home, "pushed")
	put(t, filepath.Join(stubs, "skopeo"), []byte(`#!/bin/sh
[ "$1 $2 $4" = "copy --all docker://`+testImage+`" ] && exec `+real(t, "skopeo")+` --insecure-policy copy --all "$3" dir:`+pushed+"\n"))
	put(t, filepath.Join(stubs, "docker"), []byte(`#!/bin/sh
while [ "$1" != --entrypoint ]; do shift; done
[ "$3" = `+testImage+` ] || exit 1
program=$2; shift 3
exec "`+home+`/image/$program" "$@"
`))
	// Kubectl itself only looks for the plugin's program.
	put(t, filepath.Join(stubs, "kubectl"), []byte(`#!/bin/sh
plugin=kubectl-$(echo "$1" | tr - _); shift
exec "$plugin" "$@"
`))
	if out, err := exec.Command("go", "build", "-C", "krew", "-o", filepath.Join(stubs, "kubectl-krew"), "sigs.k8s.io/krew/cmd/krew").CombinedOutput(); err != nil {
		t.Fatalf("building krew: %v\n%s", err, out)
	}
	unpackImage(t, folder, filepath.Join(home, "image"))
	env := append(os.Environ(), "HOME="+home, "KREW_ROOT="+home+"/krew", "PATH="+stubs+":"+home+"/krew/bin:"+os.Getenv("PATH"))
	env = append(env, published(t)...)
	env = append(env, "GOBIN="+home+"/gobin")

	sh := func(script string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
		cmd.Dir, cmd.Env = home, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s%v\n%s", script, err, out)
		}
		return string(out)
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(read(t, "../docs/install.md")), -1)
	said := ""
	for _, block := range blocks {
		said += sh(strings.ReplaceAll(block[1], "v0.1.0", testVersion))
	}
	if strings.Count(said, "\nvalkey-expose v1.2.3\n") != 2 || !strings.Contains(said, ".tar.gz: OK\n") || strings.Contains(said, "FAILED") {
		t.Errorf("%d blocks said:\n%s", len(blocks), said)
	}
	for _, made := range []string{
		".local/share/man/man1/valkey-expose-render.1", ".local/share/bash-completion/completions/valkey-expose",
		"pushed/manifest.json", "gobin/valkey-expose",
	} {
		if info, err := os.Stat(filepath.Join(home, made)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", made, err)
		}
	}
	if job := read(t, filepath.Join(home, "deploy/job.yaml")); !strings.Contains(string(job), "image: "+testImage+"\n") {
		t.Errorf("the Job rendered by the image has another image:\n%s", job)
	}

	latest := regexp.MustCompile(`go install \S+@latest`).FindString(string(read(t, "../README.md")))
	if latest == "" {
		t.Fatal("the README does not say how to install")
	}
	if got := sh("rm gobin/valkey-expose\n" + latest + "\ngobin/valkey-expose --version"); !strings.HasSuffix(got, "valkey-expose v1.2.3\n") {
		t.Errorf("%s: %s", latest, got)
	}
}

// published puts the module where go install finds it, and returns the settings.
func published(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(string(out))
	proxy := t.TempDir()
	versions := filepath.Join(proxy, "github.com/valkey-expose/valkey-expose/@v")
	source := copyOfSource(t)
	put(t, filepath.Join(versions, "list"), []byte(testVersion+"\n"))
	put(t, filepath.Join(versions, testVersion+".info"), []byte(`{"Version":"`+testVersion+`"}`))
	put(t, filepath.Join(versions, testVersion+".mod"), read(t, filepath.Join(source, "go.mod")))
	packed, err := os.Create(filepath.Join(versions, testVersion+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	version := module.Version{Path: "github.com/valkey-expose/valkey-expose", Version: testVersion}
	if err := zip.CreateFromDir(packed, version, source); err != nil {
		t.Fatal(err)
	}
	return []string{
		"GOPROXY=file://" + proxy + ",file://" + cache + "/cache/download", "GOSUMDB=off",
		// A cache of its own, since this version of the module is none. As in the release,
		// so that not all is compiled anew.
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0",
	}
}

// unpackImage puts the files of the image for this machine into a folder.
func unpackImage(t *testing.T, release, to string) {
	t.Helper()
	image := t.TempDir()
	archive := filepath.Join(release, readback+"_"+testVersion+".tar")
	if out, err := exec.Command("skopeo", "--insecure-policy", "copy", "oci-archive:"+archive, "dir:"+image).CombinedOutput(); err != nil {
		t.Fatalf("reading the image: %v\n%s", err, out)
	}
	var manifest struct{ Layers []struct{ Digest string } }
	if err := json.Unmarshal(read(t, filepath.Join(image, "manifest.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	for _, layer := range manifest.Layers {
		for name, text := range untar(t, read(t, filepath.Join(image, strings.TrimPrefix(layer.Digest, "sha256:")))) {
			put(t, filepath.Join(to, name), text)
		}
	}
}

// real is the path of a program that has a stand-in.
func real(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// put writes a file that can be run.
func put(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
}
