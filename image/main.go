// Image builds the container image of valkey-readback and valkey-expose as an OCI
// archive: an image for each platform, without a base image and without a daemon.
//
// It decides on your behalf: the programs are static and all there is in the
// image, it runs valkey-readback as user 65532, and nothing in the archive depends
// on when, where or by whom it was built.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

func run(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	flags.SetOutput(stderr)
	source := flags.String("source", "..", "folder of the module to build")
	out := flags.String("o", "valkey-readback.tar", "archive to write")
	name := flags.String("name", "valkey-readback:devel", "name and tag of the image")
	version := flags.String("version", "devel", "version of the programs")
	readbackImage := flags.String("readback-image", "", "default of valkey-expose's flag of this name")
	platforms := flags.String("platforms", "linux/amd64,linux/arm64", "platforms, with commas")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if !strings.Contains((*name)[strings.LastIndex(*name, "/")+1:], ":") {
		fmt.Fprintf(stderr, "image: error: the name %q has no tag\n", *name)
		return 2
	}
	var parsed []v1.Platform
	for name := range strings.SplitSeq(*platforms, ",") {
		p, err := v1.ParsePlatform(name)
		if err != nil || p.OS == "" || p.Architecture == "" {
			fmt.Fprintf(stderr, "image: error: %q is no platform such as linux/amd64\n", name)
			return 2
		}
		parsed = append(parsed, *p)
	}
	index, err := build(ctx, *source, release{*version, *readbackImage}, parsed)
	if err == nil {
		err = writeArchive(*out, *name, index)
	}
	if err != nil {
		fmt.Fprintf(stderr, "image: error: %v\n", err)
		return 1
	}
	return 0
}
