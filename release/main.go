// Release builds all that a release has into one folder: the program for each
// platform in an archive with its manual pages and completions, an SBOM of each
// program, the image, a krew manifest and the checksums of them all.
//
// It decides on your behalf: the folder appears when everything in it is done, and
// nothing in it depends on when, where or by whom it was built. What has to have
// a time has that of the commit, or of SOURCE_DATE_EPOCH.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	program  = "valkey-expose"
	readback = "valkey-readback"
)

// versionForm is how Go, krew and the CUE registry all want a version.
var versionForm = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

func run(ctx context.Context, args []string, stderr io.Writer) int {
	var r release
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&r.source, "source", "..", "folder of the module to build")
	flags.StringVar(&r.version, "version", "", "version of the release, such as v1.2.3")
	flags.StringVar(&r.readbackImage, "readback-image", "", "name and tag that the image will be pushed to: valkey-expose's default for its flag")
	out := flags.String("o", "", "folder to make")
	platforms := flags.String("platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64", "platforms of the program, with commas")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	switch {
	case !versionForm.MatchString(r.version):
		fmt.Fprintf(stderr, "release: error: the version %q is not of the form v1.2.3\n", r.version)
		return 2
	case r.readbackImage == "" || *out == "":
		fmt.Fprintln(stderr, "release: error: -readback-image and -o are required")
		return 2
	}
	for name := range strings.SplitSeq(*platforms, ",") {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			fmt.Fprintf(stderr, "release: error: %q is not a platform such as linux/amd64\n", name)
			return 2
		}
		r.platforms = append(r.platforms, platform{system, arch})
	}
	if err := r.write(ctx, *out); err != nil {
		fmt.Fprintf(stderr, "release: error: %v\n", err)
		return 1
	}
	return 0
}

// write makes the folder, whole or not at all.
func (r *release) write(ctx context.Context, out string) (err error) {
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("%s is there already", out)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	if r.out, err = os.MkdirTemp(filepath.Dir(out), ".release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.out)
	if r.work, err = os.MkdirTemp("", "valkey-expose-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	// Commands run in folders of their own.
	for _, folder := range []*string{&r.source, &r.out} {
		if *folder, err = filepath.Abs(*folder); err != nil {
			return err
		}
	}
	if err := r.build(ctx); err != nil {
		return err
	}
	if err := os.Chmod(r.out, 0o755); err != nil {
		return err
	}
	return os.Rename(r.out, out)
}
