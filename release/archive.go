package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// archive is one that was written.
type archive struct {
	platform platform
	file     string // in the folder of the release
	sum      string // its SHA-256, in hexadecimal
	binary   string // the program in it
}

// archive puts the program and the common files into the form that each system
// unpacks by itself.
func (r *release) archive(p platform, binary string, common []file) (archive, error) {
	text, err := os.ReadFile(binary)
	if err != nil {
		return archive{}, err
	}
	a := archive{platform: p, file: r.name(program, p) + ".tar.gz", binary: filepath.Base(binary)}
	files := append([]file{{a.binary, text, 0o755}}, common...)
	pack := r.tarball
	if p.system == "windows" {
		a.file = r.name(program, p) + ".zip"
		pack = r.zip
	}
	packed, err := pack(files)
	if err != nil {
		return archive{}, fmt.Errorf("writing %s: %w", a.file, err)
	}
	sum := sha256.Sum256(packed)
	a.sum = hex.EncodeToString(sum[:])
	return a, os.WriteFile(filepath.Join(r.out, a.file), packed, 0o644)
}

func (r *release) tarball(files []file) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: r.time, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), compressed.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (r *release) zip(files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.time}
		header.SetMode(os.FileMode(f.mode))
		to, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
