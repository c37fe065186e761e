package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// release is what is built, and where.
type release struct {
	source        string // the module
	version       string
	readbackImage string
	platforms     []platform
	time          time.Time // of everything in it

	out, work string // folders: of what is published, and of what is on the way there
}

type platform struct{ system, arch string }

// name is that of a file of a platform, such as valkey-expose_v1.2.3_linux_amd64.
func (r *release) name(program string, p platform) string {
	return strings.Join([]string{program, r.version, p.system, p.arch}, "_")
}

// build fills the folder.
func (r *release) build(ctx context.Context) error {
	if err := r.dated(ctx); err != nil {
		return err
	}
	common, err := r.common(ctx)
	if err != nil {
		return err
	}
	var archives []archive
	for _, p := range r.platforms {
		binary, err := r.compile(ctx, program, p)
		if err != nil {
			return err
		}
		if err := r.sbom(ctx, binary, r.name(program, p)); err != nil {
			return err
		}
		a, err := r.archive(p, binary, common)
		if err != nil {
			return err
		}
		archives = append(archives, a)
	}
	if err := r.image(ctx); err != nil {
		return err
	}
	if err := r.krew(archives); err != nil {
		return err
	}
	return writeSums(r.out)
}

// dated takes the time of the release from SOURCE_DATE_EPOCH, or else from the commit.
func (r *release) dated(ctx context.Context) error {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := r.command(ctx, r.source, "git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH is not set, and the time of the commit cannot be read: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("reading the time of the release: %w", err)
	}
	r.time = time.Unix(seconds, 0).UTC()
	return nil
}

// compile builds a program, static and stripped, and returns its path. Neither
// folder nor commit are in it, so that the same source gives the same bytes anywhere.
func (r *release) compile(ctx context.Context, program string, p platform) (string, error) {
	out := filepath.Join(r.work, p.system, p.arch, program)
	if p.system == "windows" {
		out += ".exe"
	}
	flags := "-s -w -buildid= -X main.version=" + r.version
	if program != readback {
		flags += " -X main.readbackImage=" + r.readbackImage
	}
	cmd := r.command(ctx, r.source, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", out, "./cmd/"+program)
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0")
	return out, output(cmd, "building "+program+" for "+p.system+"/"+p.arch)
}

// image builds the image of both programs, for linux on amd64 and arm64, and the
// SBOM of the one that has no archive.
func (r *release) image(ctx context.Context) error {
	cmd := r.command(ctx, filepath.Join(r.source, "image"), "go", "run", ".", "-o", filepath.Join(r.out, readback+"_"+r.version+".tar"),
		"-version", r.version, "-name", r.readbackImage, "-readback-image", r.readbackImage)
	if err := output(cmd, "building the image"); err != nil {
		return err
	}
	for _, arch := range []string{"amd64", "arm64"} {
		p := platform{"linux", arch}
		binary, err := r.compile(ctx, readback, p)
		if err != nil {
			return err
		}
		if err := r.sbom(ctx, binary, r.name(readback, p)); err != nil {
			return err
		}
	}
	return nil
}

// sbom lists the modules in a program, as the program itself tells them: they
// differ by platform.
func (r *release) sbom(ctx context.Context, binary, name string) error {
	cmd := r.command(ctx, filepath.Join(r.source, "release"), "go", "tool", "cyclonedx-gomod", "bin", "-json", "-std",
		"-noserial", "-notimestamp", "-version", r.version, "-output", filepath.Join(r.out, name+".cdx.json"), binary)
	return output(cmd, "writing the SBOM of "+name)
}

// command is one that no setting of who runs it changes.
func (r *release) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.time.Unix(), 10))
	return cmd
}

// output runs a command, and tells what it said if it failed.
func output(cmd *exec.Cmd, doing string) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", doing, err, out)
	}
	return nil
}

// readFile reads a file of the source.
func (r *release) readFile(name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(r.source, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is not the source: %w", r.source, err)
	}
	return text, err
}
