package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// mostBytes is what a program may weigh in the image.
var mostBytes = map[string]int{readback: 20 << 20, expose: 45 << 20}

// Two builds are identical, from whatever folder; the image holds two static
// programs, and runs the Job's as a user that is not root.
func TestImage(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "clone")
	copySource(t, elsewhere)
	var archives [][]byte
	for _, folder := range []string{"..", elsewhere} {
		out := filepath.Join(t.TempDir(), "image.tar")
		var stderr bytes.Buffer
		if code := run(t.Context(), []string{"-source", folder, "-o", out, "-name", "example.com/valkey-readback:v1.2.3", "-version", "v1.2.3",
			"-readback-image", "example.com/valkey-readback:v1.2.3", "-platforms", "linux/amd64"}, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, text)
	}
	if !bytes.Equal(archives[0], archives[1]) {
		t.Error("two builds differ")
	}

	image := load(t, archives[0])
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Config.User != "65532:65532" || !slices.Equal(config.Config.Entrypoint, []string{"/valkey-readback"}) {
		t.Errorf("the image runs %v as %s", config.Config.Entrypoint, config.Config.User)
	}
	content, err := io.ReadAll(mutate.Extract(image))
	if err != nil {
		t.Fatal(err)
	}
	inside := files(t, content)
	if len(inside) != len(mostBytes) {
		t.Errorf("the image holds %d files", len(inside))
	}
	for name, most := range mostBytes {
		binary := inside[name]
		if len(binary) == 0 || len(binary) > most {
			t.Errorf("%s has %d bytes", name, len(binary))
		}
		program, err := elf.NewFile(bytes.NewReader(binary))
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(program.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
			t.Errorf("%s wants a dynamic loader", name)
		}
	}
	runsAsInAPipeline(t, inside[expose], config.Config.Env)
}

// runsAsInAPipeline renders with nothing but the program and the image's
// environment. The Job gets the image that the program is in.
func runsAsInAPipeline(t *testing.T, binary []byte, env []string) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the image is for linux/amd64")
	}
	path := filepath.Join(t.TempDir(), expose)
	if err := os.WriteFile(path, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	render := exec.Command(path, "render", "-f", "../examples/cluster.yaml")
	render.Env = env
	if out, err := render.CombinedOutput(); err != nil || !strings.Contains(string(out), "image: example.com/valkey-readback:v1.2.3\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestMisuse(t *testing.T) {
	for _, args := range [][]string{{"-platforms", "linux"}, {"-unknown"}, {"-name", "registry:5000/untagged"}} {
		if code := run(t.Context(), args, io.Discard); code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
	out := filepath.Join(t.TempDir(), "image.tar")
	if code := run(t.Context(), []string{"-source", t.TempDir(), "-o", out}, io.Discard); code != 1 {
		t.Errorf("nothing to build: exit code %d", code)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed build left an archive")
	}
}

// copySource copies what the program is built from.
func copySource(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "e2e" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".cue", ".mod", ".sum"}, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, name)
		return errors.Join(os.MkdirAll(filepath.Dir(copied), 0o755), os.WriteFile(copied, text, 0o644))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// load reads the one image of an archive.
func load(t *testing.T, archive []byte) v1.Image {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files(t, archive) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(root); err != nil {
		t.Fatal(err)
	}
	manifest, err := root.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%d images: %v", len(manifest.Manifests), err)
	}
	if got := manifest.Manifests[0].Annotations["io.containerd.image.name"]; got != "example.com/valkey-readback:v1.2.3" {
		t.Errorf("the image is named %q", got)
	}
	index, err := root.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	images, err := index.IndexManifest()
	if err != nil || len(images.Manifests) != 1 {
		t.Fatalf("%d platforms: %v", len(images.Manifests), err)
	}
	image, err := index.Image(images.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// files are those of a tar file, by name.
func files(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(archive))
	for {
		header, err := r.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if found[header.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}
