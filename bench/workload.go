package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// timed is a command of the program, with the arguments for each build.
type timed struct {
	name string
	args [2][]string // the program first
}

// prepare writes what the commands read: a cluster in gateway mode with two nodes a
// shard, and a directory for each build, as that build renders it. plan compares it
// with the cluster at other ports.
func prepare(ctx context.Context, folder string, shards int, programs [2]string) ([]timed, error) {
	cluster := filepath.Join(folder, fmt.Sprintf("cluster-%d.yaml", shards))
	moved := filepath.Join(folder, fmt.Sprintf("moved-%d.yaml", shards))
	for path, basePort := range map[string]int{cluster: 30000, moved: 31000} {
		if err := os.WriteFile(path, fmt.Appendf(nil, clusterText, shards, basePort), 0o666); err != nil {
			return nil, err
		}
	}
	commands := []timed{{name: "render"}, {name: "vet"}, {name: "diff"}, {name: "plan"}}
	for build, program := range programs {
		directory := filepath.Join(folder, fmt.Sprintf("rendered-%d-%d", shards, build))
		flags := []string{"--readback-image", "registry.example.com/readback:v1"}
		with := func(name, file string, more ...string) []string {
			return append([]string{program, name, "-f", file}, more...)
		}
		render := with("render", cluster, flags...)
		if err := command(ctx, folder, program, append(render[1:], "-o", directory)...); err != nil {
			return nil, err
		}
		inDirectory := append([]string{"-o", directory}, flags...)
		for i, args := range [][]string{render, with("vet", cluster), with("diff", cluster, inDirectory...), with("plan", moved, inDirectory...)} {
			commands[i].args[build] = args
		}
	}
	return commands, nil
}

const clusterText = `apiVersion: valkey.io/v1alpha1
kind: ValkeyCluster
metadata: {name: orders, namespace: shop}
spec:
  shards: %d
  replicas: 1
  externalAccess:
    enabled: true
    domain: valkey.example.com
    preferredEndpointType: hostname
    gateway: {gatewayRef: {name: public}, basePort: %d}
`
