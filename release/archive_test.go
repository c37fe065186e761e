package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// testArchives: each has the program for its own system and processor, static
// where the system is, and what belongs to it.
func testArchives(t *testing.T, folder string) {
	machine := map[string]func(*testing.T, []byte) string{
		"linux": func(t *testing.T, text []byte) string {
			f, err := elf.NewFile(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if f.Section(".interp") != nil {
				t.Error("the program wants a dynamic loader")
			}
			return map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[f.Machine]
		},
		"darwin": func(t *testing.T, text []byte) string {
			f, err := macho.NewFile(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			return map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]
		},
		"windows": func(t *testing.T, text []byte) string {
			f, err := pe.NewFile(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			return map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine]
		},
	}
	for system, of := range machine {
		for _, arch := range []string{"amd64", "arm64"} {
			t.Run(system+"/"+arch, func(t *testing.T) {
				form, binary, unpack := ".tar.gz", program, untar
				if system == "windows" {
					form, binary, unpack = ".zip", program+".exe", unzip
				}
				files := unpack(t, read(t, filepath.Join(folder, "valkey-expose_v1.2.3_"+system+"_"+arch+form)))
				if got := of(t, files[binary]); got != arch {
					t.Errorf("the program is for %q", got)
				}
				for name, holds := range map[string]string{
					"LICENSE":                                  "Apache License",
					"THIRD_PARTY_LICENSES":                     "==== cuelang.org/go v",
					"completions/bash/valkey-expose":           "__start_valkey-expose",
					"completions/fish/valkey-expose.fish":      "complete -c valkey-expose",
					"completions/powershell/valkey-expose.ps1": "Register-ArgumentCompleter",
					"completions/zsh/_valkey-expose":           "#compdef valkey-expose",
					"man/man1/valkey-expose.1":                 "valkey-expose v1.2.3",
					"man/man1/valkey-expose-render.1":          "readback-image",
				} {
					if !strings.Contains(string(files[name]), holds) {
						t.Errorf("%s is missing or does not have %q", name, holds)
					}
				}
			})
		}
	}
}

// untar reads the files of a compressed tar archive.
func untar(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	uncompressed, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(uncompressed); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[header.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// unzip reads the files of a zip archive.
func unzip(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(opened); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
