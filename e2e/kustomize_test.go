package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKustomizeCannotRename: a kustomization that builds upon a rendered directory,
// or stands in it, cannot change what stands in places where kustomize does not look.
// It can change everything else.
func TestKustomizeCannotRename(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := t.TempDir()
	rendered(b, input(b, 3, hostnames, ""), "-o", filepath.Join(dir, "deploy"))
	rendered(b, input(b, 3, hostnames, ""), "--inject", "patch", "-o", filepath.Join(dir, "patched"))
	for _, folder := range []string{"between", "over"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(dir, "between", "kustomization.yaml"), "resources: [../deploy]\n")
	const (
		name     = "what valkey-expose rendered cannot be renamed"
		selector = "the operator's pods do not have this label"
	)
	for _, test := range []struct {
		base, change string
		want         string // "" builds
	}{
		{"deploy", "namePrefix: prod-", name},
		{"deploy", "nameSuffix: -prod", name},
		{"between", "namePrefix: prod-", name},
		{"between", "nameSuffix: -prod", name},
		{"deploy", "commonLabels: {team: a}", selector},
		{"deploy", "labels: [{pairs: {team: a}, includeSelectors: true}]", selector},
		{"between", "labels: [{pairs: {team: a}, includeSelectors: true}]", selector},
		{"patched", "namePrefix: prod-", name},
		{"patched", "labels: [{pairs: {team: a}, includeSelectors: true}]", ""},
		{"deploy", "namespace: " + b.Namespace, ""},
		{"deploy", "labels: [{pairs: {team: a}}]", ""},
		{"deploy", "commonAnnotations: {team: a}", ""},
		{"deploy", "images: [{name: registry.example.com/valkey-readback, newTag: other}]", ""},
		{"deploy", "configMapGenerator: [{name: of-their-own, literals: [a=b]}]", ""},
	} {
		writeFile(t, filepath.Join(dir, "over", "kustomization.yaml"), "resources: [../"+test.base+"]\n"+test.change+"\n")
		for _, build := range []string{"kustomize build ", "kubectl kustomize "} {
			built, err := b.Shell(build + filepath.Join(dir, "over"))
			switch {
			case test.want == "" && (err != nil || !strings.Contains(built, "kind: Job")):
				t.Errorf("%s, %s: %v\n%s", build, test.change, err, built)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%s, %s upon %s: want %q, got %v", build, test.change, test.base, test.want, err)
			}
		}
	}

	// Flux and Argo CD write into the kustomization itself.
	kustomization := filepath.Join(dir, "deploy", "kustomization.yaml")
	text, err := os.ReadFile(kustomization)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, kustomization, string(text)+"namePrefix: prod-\n")
	if _, err := b.Kustomize("build", filepath.Dir(kustomization)); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a prefix in the kustomization itself: %v", err)
	}
}
