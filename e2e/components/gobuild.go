package components

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var kubernetesPrograms = []string{"kube-apiserver", "kube-controller-manager", "kube-proxy"}

func (c *cache) kubernetes(ctx context.Context, version string) (string, error) {
	return c.entry("kubernetes-"+version, "Kubernetes "+version+" (about 9 minutes with a cold Go build cache)", func(dir string) error {
		return c.kubernetesBuild(ctx, version, dir, kubernetesPrograms...)
	})
}

func (c *cache) kubectl(ctx context.Context, version string) (string, error) {
	dir, err := c.entry("kubectl-"+version, "kubectl "+version+" (about a minute)", func(dir string) error {
		return c.kubernetesBuild(ctx, version, dir, "kubectl")
	})
	return filepath.Join(dir, "kubectl"), err
}

func (c *cache) kubernetesBuild(ctx context.Context, version, dir string, programs ...string) error {
	module, err := toolModule(ctx, "tools", "k8s.io/kubernetes", version)
	if err != nil {
		return err
	}
	ldflags := "-s -w -X k8s.io/component-base/version.gitVersion=" + version
	for _, name := range programs {
		c.say("building %s", name)
		if err := c.goBuild(ctx, module, filepath.Join(dir, name), ldflags, "k8s.io/kubernetes/cmd/"+name); err != nil {
			return err
		}
	}
	return nil
}

func (c *cache) kustomize(ctx context.Context, version string) (string, error) {
	const path = "sigs.k8s.io/kustomize/kustomize/v5"
	dir, err := c.entry("kustomize-"+version, "kustomize "+version, func(dir string) error {
		module, err := toolModule(ctx, "tools", path, version)
		if err != nil {
			return err
		}
		return c.goBuild(ctx, module, filepath.Join(dir, "kustomize"), "-s -w", path)
	})
	return filepath.Join(dir, "kustomize"), err
}

func (c *cache) helm(ctx context.Context, version string) (string, error) {
	dir, err := c.entry("helm-"+version, "Helm "+version+" (about 3 minutes with a cold Go build cache)", func(dir string) error {
		module, err := toolModule(ctx, "tools/helm", "helm.sh/helm/v4", version)
		if err != nil {
			return err
		}
		return c.goBuild(ctx, module, filepath.Join(dir, "helm"), "-s -w", "helm.sh/helm/v4/cmd/helm")
	})
	return filepath.Join(dir, "helm"), err
}

func (c *cache) flux(ctx context.Context, version string) (string, error) {
	const path, name = "github.com/fluxcd/kustomize-controller", "kustomize-controller"
	dir, err := c.entry("flux-"+name+"-program-"+version, "Flux's "+name+" "+version+" (about 5 minutes with a cold Go build cache)", func(dir string) error {
		module, err := toolModule(ctx, "tools/flux", path, version)
		if err != nil {
			return err
		}
		return c.goBuild(ctx, module, filepath.Join(dir, name), "-s -w", path)
	})
	return filepath.Join(dir, name), err
}

func (c *cache) traefik(ctx context.Context, version string) (string, error) {
	dir, err := c.entry("traefik-"+version, "Traefik "+version+" (about 8 minutes with a cold Go build cache)", func(dir string) error {
		module, err := toolModule(ctx, "tools/traefik", "github.com/traefik/traefik/v3", version)
		if err != nil {
			return err
		}
		return c.goBuild(ctx, module, filepath.Join(dir, "traefik"), "-s -w", "github.com/traefik/traefik/v3/cmd/traefik")
	})
	return filepath.Join(dir, "traefik"), err
}

// coredns has no libc to link to, as in its image.
func (c *cache) coredns(ctx context.Context, version string) (string, error) {
	const path = "github.com/coredns/coredns"
	dir, err := c.entry("coredns-"+version, "CoreDNS "+version+" (about 3 minutes with a cold Go build cache)", func(dir string) error {
		module, err := toolModule(ctx, "tools/coredns", path, version)
		if err != nil {
			return err
		}
		_, err = output(ctx, module, "env", "CGO_ENABLED=0", "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, "coredns"), path)
		return err
	})
	return filepath.Join(dir, "coredns"), err
}

// buildProduct builds the product's programs and drops them: from then on they can
// be built where there is no network.
func buildProduct(ctx context.Context) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	_, err = output(ctx, filepath.Dir(root), "env", "CGO_ENABLED=0", "go", "build", "./cmd/...")
	return err
}

// crds copies a folder of CRDs out of a module, so that a warm run needs no module
// cache.
func (c *cache) crds(ctx context.Context, name, path, folder, version string) (string, error) {
	return c.entry(name+"-"+version, name+" CRDs "+version, func(dir string) error {
		out, err := output(ctx, dir, "go", "mod", "download", "-json", path+"@"+version)
		if err != nil {
			return err
		}
		var module struct{ Dir string }
		if err := json.Unmarshal(out, &module); err != nil {
			return err
		}
		return os.CopyFS(dir, os.DirFS(filepath.Join(module.Dir, folder)))
	})
}

// toolModule is the folder of a module that exists to build somebody else's
// programs, after a check that it asks for the version of versions.env.
func toolModule(ctx context.Context, dir, path, version string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	module := filepath.Join(root, dir)
	out, err := output(ctx, module, "go", "list", "-m", "-f", "{{.Version}}", path)
	if err != nil {
		return "", err
	}
	if have := strings.TrimSpace(string(out)); have != version {
		return "", fmt.Errorf("%s/go.mod has %s %s, versions.env has %s", dir, path, have, version)
	}
	return module, nil
}

func (c *cache) goBuild(ctx context.Context, dir, out, ldflags, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", ldflags, "-o", out, pkg)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = c.log, c.log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w", pkg, err)
	}
	return nil
}
