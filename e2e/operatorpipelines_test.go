//go:build operator

package e2e

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// A pipeline brings everything at once, the policy with it, onto a cluster that is
// new and onto one that runs. Flux, with a single Kustomization, applies within the
// second, by kind; Argo CD's waves have two seconds between them. Whatever pods the
// operator made before the policy was in force, each ends right, and how many the
// Job evicted is printed.
func TestOperatorUnderAPipeline(t *testing.T) {
	t.Parallel()
	for pipeline, apply := range map[string]func(deployment) string{
		"Flux":   fluxAppliesAll,
		"ArgoCD": func(d deployment) string { return argoSync(d, func() {}) },
	} {
		for _, state := range []string{"fresh", "running"} {
			t.Run(pipeline+" "+state, func(t *testing.T) {
				t.Parallel()
				b := startReal(t)
				var inside *traffic
				if state == "running" {
					b.Kubectl(plain(b, 3), "apply", "--server-side", "-f", "-")
					settled(b)
					inside = startTraffic(b, "pipeline", false, nil)
					b.Eventually("some writes", func() error { return inside.wrote(keys) })
				}
				resolve(b, 3)
				d := newDeployment(b)
				d.render(byHostname(b))
				d.commit("hostname")
				log := apply(d)
				c := settled(b)
				if inside != nil {
					inside.end()
				}
				t.Logf("pods evicted: %d of %d", strings.Count(log, "evicted a pod that was created"), len(c.Nodes()))
				carriesOverlay(b, c)
				recordsNodePorts(b, c)
				announcesNodePorts(b, c)
				writeAndRead(b, bootstrapSeed(b))
			})
		}
	}
}

// fluxAppliesAll has Flux apply the folder by one Kustomization, the example's
// without what makes it wait for another, until it is Ready. It returns what the
// Job logged.
func fluxAppliesAll(d deployment) (log string) {
	b := d.b
	b.T.Helper()
	b.StartFlux()
	revision := publish(d)
	all, err := bed.Decode(fluxExample(b, "cluster"))
	if err != nil {
		b.T.Fatal(err)
	}
	for _, field := range []string{"dependsOn", "patches"} {
		unstructured.RemoveNestedField(all[0].Object, "spec", field)
	}
	text, err := all[0].MarshalJSON()
	if err != nil {
		b.T.Fatal(err)
	}
	b.Apply(string(text))
	fluxReady(b, "orders", revision)
	return jobEnds(b, d.build())
}
