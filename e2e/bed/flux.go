package bed

import (
	"context"
	"net/http"
	"sync"
)

const fluxHealth = "127.0.0.1:19440"

// fluxProcess is the one kustomize-controller of a run.
var fluxProcess = sync.OnceValues(func() (*process, error) {
	return startProcess("kustomize-controller", "env", "KUBECONFIG="+kubeconfigPath, "RUNTIME_NAMESPACE=default",
		parts.Flux, "--events-addr=", "--metrics-addr=127.0.0.1:18080", "--health-addr="+fluxHealth,
		"--enable-leader-election=false", "--requeue-dependency=1s")
})

// StartFlux makes the API server know Flux's kinds, and runs Flux's
// kustomize-controller for all namespaces until the run ends. The tests of a run
// share it. Sources are the test's affair: there is no source-controller.
func (b *Bed) StartFlux() {
	b.T.Helper()
	for _, crd := range GitOpsCRDs(b.T) {
		b.ApplyForAll(crd)
	}
	// It ends if they are not there when it starts.
	b.Eventually("Flux's kinds to be served", func() error {
		for _, group := range []string{"kustomize", "source"} {
			if _, err := b.kube.Discovery().ServerResourcesForGroupVersion(group + ".toolkit.fluxcd.io/v1"); err != nil {
				return err
			}
		}
		return nil
	})
	p, err := fluxProcess()
	if err == nil {
		err = p.untilReady(context.WithoutCancel(b.T.Context()), http.DefaultClient, "http://"+fluxHealth)
	}
	if err != nil {
		b.T.Fatal(err)
	}
}
