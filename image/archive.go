package main

import (
	"archive/tar"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// writeArchive writes an OCI image layout as one tar file, whole or not at all.
// The layout holds one image, of several platforms, under a name.
func writeArchive(path, name string, index v1.ImageIndex) error {
	dir, err := os.MkdirTemp("", "valkey-readback-layout-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	images, err := layout.Write(dir, empty.Index)
	if err == nil {
		err = images.AppendIndex(index, layout.WithAnnotations(annotations(name)))
	}
	if err != nil {
		return fmt.Errorf("writing the layout: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".valkey-readback-*.tar")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	if err := tarOf(part, dir); err != nil {
		part.Close()
		return fmt.Errorf("writing the archive: %w", err)
	}
	if err := part.Chmod(0o644); err != nil {
		part.Close()
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// annotations name the image: for skopeo and podman by its tag, for containerd,
// and so kind, in full.
func annotations(name string) map[string]string {
	tag := name[strings.LastIndex(name, ":")+1:]
	return map[string]string{"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": name}
}

// tarOf writes the files of a folder in the order of their names. Of times,
// owners and modes nothing is kept.
func tarOf(out *os.File, dir string) error {
	w := tar.NewWriter(out)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(text)), Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return w.Close()
}
