package valkeyexpose

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/schema"
)

// TestCompatibilityNamesWhatIsTested holds the versions in the document to those
// that the testbed and the modules have.
func TestCompatibilityNamesWhatIsTested(t *testing.T) {
	first := func(file, pattern string) string {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)` + pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s has no %s", file, pattern)
		}
		return string(found[1])
	}
	var want strings.Builder
	row := func(name, version string) { fmt.Fprintf(&want, "| %s | %s |\n", name, version) }
	bed := func(name string) string { return first("e2e/components/versions.env", "^"+name+"=(.*)$") }
	want.WriteString("\n| | version |\n|---|---|\n")
	row("Kubernetes and kubectl", bed("KUBERNETES"))
	row("Valkey, at least", bed("VALKEY"))
	row("Valkey that is refused", bed("OLD_VALKEY"))
	row("valkey-operator", first("Makefile", `^OPERATOR_SRC.*valkey-operator-(v[\d.]+)\.tar`))
	row("Gateway API", bed("GATEWAY_API"))
	row("Traefik, as the Gateway", bed("TRAEFIK"))
	row("CoreDNS, as the cluster's DNS", bed("COREDNS"))
	row("kustomize", bed("KUSTOMIZE"))
	row("Helm", bed("HELM"))
	row("Flux's kustomize-controller", bed("FLUX_KUSTOMIZE_CONTROLLER"))
	row("Argo CD: its CRDs", bed("ARGOCD"))
	row("CUE", first("go.mod", `^\tcuelang\.org/go (\S+)$`))
	row("Go", first("go.mod", `^go (\d+\.\d+)`))
	want.WriteString("\n")

	shown := first("docs/compatibility.md", `<!-- begin versions -->\n((?s:.*))<!-- end versions -->`)
	if diff := cmp.Diff(want.String(), shown); diff != "" {
		t.Errorf("docs/compatibility.md is out of date (-tested +shown):\n%s", diff)
	}
	plan := fmt.Sprintf("of version %[1]d. The program compares with Plans of versions 1 to %[1]d. The Job reads version %[1]d alone", schema.PlanVersion)
	first("docs/compatibility.md", regexp.QuoteMeta(plan)+"()")
}
