package components

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Set says where each program of the bed is. Paths are absolute.
type Set struct {
	// Bin holds etcd, nft, valkey-server, valkey-cli and valkey-server-8 under these names; it
	// goes first on the PATH of everything the bed starts.
	Bin string
	// HostDirs must be visible at the same path wherever the programs in Bin
	// run, also in a pod's own root.
	HostDirs []string
	// Kubernetes holds kube-apiserver, kube-controller-manager and kube-proxy.
	Kubernetes string
	// Kubectl and Kustomize are programs.
	Kubectl, Kustomize string
	// GatewayAPI holds one folder of CRDs per channel: standard, experimental.
	GatewayAPI string
	// GitOps are folders of CRDs of Argo CD and Flux.
	GitOps []string
	// Traefik, Helm and Flux, its kustomize-controller, are programs; empty unless
	// they were asked for.
	Traefik, Helm, Flux string
	// CoreDNS is a program; empty unless it was asked for.
	CoreDNS string
	// Operator is a valkey-operator's program and OperatorCRDs a folder of its
	// CRDs; empty unless they were asked for.
	Operator, OperatorCRDs string
}

// Want names what only some tests need.
type Want struct {
	// Traefik takes about eight minutes to build on two cores.
	Traefik bool
	// CoreDNS takes about three.
	CoreDNS bool
	// Helm and Flux take about as long together.
	Helm, Flux bool
	// Operator is a real valkey-operator, built from the sources that OPERATOR_SRC
	// names: an archive or a folder.
	Operator bool
}

// Ensure returns the set, after it has downloaded or built what the cache
// lacks. Progress goes to log, one line a step. A warm cache needs no network
// and takes milliseconds.
func Ensure(ctx context.Context, log io.Writer, want Want) (Set, error) {
	v, err := parseVersions(versionsFile)
	if err != nil {
		return Set{}, err
	}
	if err := requirements(); err != nil {
		return Set{}, err
	}
	c, err := openCache(log)
	if err != nil {
		return Set{}, err
	}
	defer c.close()
	var s Set
	if err := c.programs(ctx, v, &s); err != nil {
		return Set{}, err
	}
	if s.Kubernetes, err = c.kubernetes(ctx, v["KUBERNETES"]); err != nil {
		return Set{}, err
	}
	if s.Kubectl, err = c.kubectl(ctx, v["KUBERNETES"]); err != nil {
		return Set{}, err
	}
	if s.Kustomize, err = c.kustomize(ctx, v["KUSTOMIZE"]); err != nil {
		return Set{}, err
	}
	if s.GatewayAPI, err = c.crds(ctx, "gateway-api", "sigs.k8s.io/gateway-api", "config/crd", v["GATEWAY_API"]); err != nil {
		return Set{}, err
	}
	for _, m := range []struct{ name, path, folder, version string }{
		{"argocd", "github.com/argoproj/argo-cd/v3", "manifests/crds", v["ARGOCD"]},
		{"flux-kustomize-controller", "github.com/fluxcd/kustomize-controller", "config/crd/bases", v["FLUX_KUSTOMIZE_CONTROLLER"]},
		{"flux-source-controller", "github.com/fluxcd/source-controller", "config/crd/bases", v["FLUX_SOURCE_CONTROLLER"]},
	} {
		dir, err := c.crds(ctx, m.name, m.path, m.folder, m.version)
		if err != nil {
			return Set{}, err
		}
		s.GitOps = append(s.GitOps, dir)
	}
	if want.Helm {
		if s.Helm, err = c.helm(ctx, v["HELM"]); err != nil {
			return Set{}, err
		}
	}
	if want.Flux {
		if s.Flux, err = c.flux(ctx, v["FLUX_KUSTOMIZE_CONTROLLER"]); err != nil {
			return Set{}, err
		}
	}
	if want.Traefik {
		if s.Traefik, err = c.traefik(ctx, v["TRAEFIK"]); err != nil {
			return Set{}, err
		}
	}
	if want.CoreDNS {
		if s.CoreDNS, err = c.coredns(ctx, v["COREDNS"]); err != nil {
			return Set{}, err
		}
	}
	if want.Operator {
		if s.Operator, s.OperatorCRDs, err = c.operator(ctx, os.Getenv(operatorVariable)); err != nil {
			return Set{}, err
		}
	}
	return s, buildProduct(ctx)
}

// moduleRoot is the folder of the e2e module, found upwards from the working
// directory: go test runs each test in its package's folder.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "tools", "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no tools/go.mod above the working directory: run this inside the e2e module")
		}
		dir = parent
	}
}
