package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	testVersion = "v1.2.3"
	testImage   = "registry.example.com/valkey-readback:v1.2.3"
)

// TestRelease builds a release by make, and another by the program from a copy of
// the source elsewhere: they are the same, byte for byte. What is in it is then
// looked at, installed and run.
func TestRelease(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1764547200") // of no commit
	made := filepath.Join(t.TempDir(), "release")
	cmd := exec.CommandContext(t.Context(), "make", "-C", "..", "release",
		"VERSION="+testVersion, "READBACK_IMAGE="+testImage, "RELEASE_DIR="+made)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	again := filepath.Join(t.TempDir(), "elsewhere", "release")
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"-source", copyOfSource(t), "-version", testVersion, "-readback-image", testImage, "-o", again}, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	names := sameFiles(t, made, again)
	if len(names) != 17 { // an archive and an SBOM a platform, the image and two SBOMs, krew's, the sums
		t.Errorf("%d files: %s", len(names), names)
	}

	t.Run("archives", func(t *testing.T) { testArchives(t, made) })
	t.Run("SBOMs", func(t *testing.T) { testSBOMs(t, made) })
	t.Run("install", func(t *testing.T) { testInstall(t, made) })
}

// sameFiles compares two folders and returns the names of the files.
func sameFiles(t *testing.T, a, b string) []string {
	t.Helper()
	listed := func(folder string) (names []string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}
	names := listed(a)
	if others := listed(b); strings.Join(names, " ") != strings.Join(others, " ") {
		t.Fatalf("one has %s, the other %s", names, others)
	}
	for _, name := range names {
		if !bytes.Equal(read(t, filepath.Join(a, name)), read(t, filepath.Join(b, name))) {
			t.Errorf("%s differs between two builds", name)
		}
	}
	return names
}

// testSBOMs: each lists the modules of its own platform, with their versions.
func testSBOMs(t *testing.T, folder string) {
	for name, of := range map[string]struct{ has, lacks []string }{
		"valkey-expose_v1.2.3_windows_amd64": {has: []string{"cuelang.org/go", "github.com/inconshreveable/mousetrap"}, lacks: []string{"k8s.io/client-go"}},
		"valkey-expose_v1.2.3_linux_amd64":   {has: []string{"cuelang.org/go", "std"}, lacks: []string{"github.com/inconshreveable/mousetrap"}},
		"valkey-readback_v1.2.3_linux_arm64": {has: []string{"k8s.io/client-go", "std"}, lacks: []string{"cuelang.org/go"}},
	} {
		type component struct{ Name, Version string }
		var sbom struct {
			BOMFormat  string
			Metadata   struct{ Component component }
			Components []component
		}
		if err := json.Unmarshal(read(t, filepath.Join(folder, name+".cdx.json")), &sbom); err != nil {
			t.Fatal(err)
		}
		if sbom.BOMFormat != "CycloneDX" || sbom.Metadata.Component.Version != testVersion {
			t.Errorf("%s: a %s of version %q", name, sbom.BOMFormat, sbom.Metadata.Component.Version)
		}
		versions := map[string]string{}
		for _, c := range sbom.Components {
			versions[c.Name] = c.Version
		}
		for _, module := range of.has {
			if versions[module] == "" {
				t.Errorf("%s does not list %s", name, module)
			}
		}
		for _, module := range of.lacks {
			if _, listed := versions[module]; listed {
				t.Errorf("%s lists %s", name, module)
			}
		}
	}
}

func TestMisuse(t *testing.T) {
	out := filepath.Join(t.TempDir(), "release")
	for _, args := range [][]string{
		{"-unknown"},
		{"-version", "1.2.3", "-readback-image", testImage, "-o", out},
		{"-version", "v1.2", "-readback-image", testImage, "-o", out},
		{"-version", testVersion, "-o", out},
		{"-version", testVersion, "-readback-image", testImage},
		{"-version", testVersion, "-readback-image", testImage, "-o", out, "-platforms", "linux"},
	} {
		if code := run(t.Context(), args, io.Discard); code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}

// TestNothingIsLeft: a failed release leaves no folder, and none is written over.
func TestNothingIsLeft(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "0")
	folder := t.TempDir()
	args := []string{"-source", t.TempDir(), "-version", testVersion, "-readback-image", testImage, "-o", filepath.Join(folder, "release")}
	if code := run(t.Context(), args, io.Discard); code != 1 {
		t.Errorf("nothing to build: exit code %d", code)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
	if err := os.Mkdir(filepath.Join(folder, "release"), 0o777); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if code := run(t.Context(), args, &stderr); code != 1 || !strings.Contains(stderr.String(), "is there already") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

// copyOfSource copies the tree but for what no build reads.
func copyOfSource(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "clone")
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (name == ".git" || name == "bin" || name == "e2e" || name == "golden"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular() || name == ".git":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
