package main

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// The programs of the image, a layer each. The rendered Job gives arguments and no
// command, so the image runs the first one; a pipeline names the other.
const (
	readback = "valkey-readback"
	expose   = "valkey-expose"
)

// user is who the rendered Job runs as, too.
const user = "65532:65532"

// release is what the programs are told of the release they belong to.
type release struct {
	version       string
	readbackImage string // valkey-expose's default for --readback-image; none if empty
}

// build makes an index with an image for each platform.
func build(ctx context.Context, source string, r release, platforms []v1.Platform) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, platform := range platforms {
		var layers []v1.Layer
		for _, program := range []string{readback, expose} {
			binary, err := compile(ctx, source, program, r, platform)
			if err != nil {
				return nil, err
			}
			layer, err := layerOf(program, binary)
			if err != nil {
				return nil, err
			}
			layers = append(layers, layer)
		}
		image, err := imageOf(layers, r.version, platform)
		if err != nil {
			return nil, fmt.Errorf("making the image for %s: %w", platform, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	return index, nil
}

// compile builds a program, static and stripped. Neither folder nor commit are
// in it, so that the same source gives the same bytes anywhere.
func compile(ctx context.Context, source, program string, r release, platform v1.Platform) ([]byte, error) {
	dir, err := os.MkdirTemp("", "valkey-readback-image-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, program)
	flags := "-s -w -buildid= -X main.version=" + r.version
	if program == expose {
		flags += " -X main.readbackImage=" + r.readbackImage
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", out, "./cmd/"+program)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off",
		"GOOS="+platform.OS, "GOARCH="+platform.Architecture, "GOAMD64=v1", "GOARM64=v8.0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s for %s: %w\n%s", program, platform, err, text)
	}
	return os.ReadFile(out)
}

// layerOf is a layer with one program.
func layerOf(program string, binary []byte) (v1.Layer, error) {
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	if err := w.WriteHeader(&tar.Header{Name: program, Mode: 0o555, Size: int64(len(binary)), Format: tar.FormatUSTAR}); err != nil {
		return nil, err
	}
	if _, err := w.Write(binary); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
}

func imageOf(layers []v1.Layer, version string, platform v1.Platform) (v1.Image, error) {
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.AppendLayers(image, layers...)
	if err != nil {
		return nil, err
	}
	layered, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, &v1.ConfigFile{
		Created: v1.Time{Time: time.Unix(0, 0).UTC()}, // of no build
		OS:      platform.OS, Architecture: platform.Architecture, Variant: platform.Variant,
		RootFS: layered.RootFS,
		Config: v1.Config{
			User:       user,
			Entrypoint: []string{"/" + readback},
			Env:        []string{"PATH=/"},
			Labels: map[string]string{
				"org.opencontainers.image.title":    readback,
				"org.opencontainers.image.version":  version,
				"org.opencontainers.image.licenses": "Apache-2.0",
			},
		},
	})
}
