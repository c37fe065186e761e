//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// BenchmarkRender times the whole program, from exec to exit, in gateway mode
// with 2 nodes a shard; peak-MB is its largest resident set. BenchmarkWrite is
// the time to write the same bytes to a file.
func BenchmarkRender(b *testing.B) {
	program := build(b)
	for _, shards := range []int{3, 100, 1000} {
		input := gatewayCluster(b, shards)
		b.Run(fmt.Sprintf("shards=%d", shards), func(b *testing.B) {
			var peak int64
			for b.Loop() {
				cmd := render(program, input)
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
					peak = max(peak, int64(usage.Maxrss)) // KiB on Linux
				}
			}
			b.ReportMetric(float64(peak)/1024, "peak-MB")
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	program := build(b)
	for _, shards := range []int{3, 100, 1000} {
		var output bytes.Buffer
		cmd := render(program, gatewayCluster(b, shards))
		cmd.Stdout = &output
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), "output.yaml")
		b.Run(fmt.Sprintf("shards=%d", shards), func(b *testing.B) {
			for b.Loop() {
				if err := os.WriteFile(path, output.Bytes(), 0o666); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
		})
	}
}

// build builds the program as make build does.
func build(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), report.Program)
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return program
}

func render(program, input string) *exec.Cmd {
	return exec.Command(program, "render", "-f", input, "--readback-image", "i")
}

func gatewayCluster(b *testing.B, shards int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "cluster.yaml")
	text := fmt.Sprintf(`apiVersion: valkey.io/v1alpha1
kind: ValkeyCluster
metadata: {name: orders, namespace: shop}
spec:
  shards: %d
  replicas: 1
  externalAccess:
    enabled: true
    domain: valkey.example.com
    preferredEndpointType: hostname
    gateway: {gatewayRef: {name: public}, basePort: 30000}
`, shards)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	return path
}
