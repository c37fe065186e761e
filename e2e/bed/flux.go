package bed

import "net/http"

const fluxHealth = "127.0.0.1:19440"

// StartFlux starts Flux's kustomize-controller, for all namespaces, until the test
// ends. Sources are the test's affair: there is no source-controller.
func (b *Bed) StartFlux() {
	b.T.Helper()
	p, err := startProcess("kustomize-controller", "env", "KUBECONFIG="+kubeconfigPath, "RUNTIME_NAMESPACE="+b.Namespace,
		parts.Flux, "--events-addr=", "--metrics-addr=127.0.0.1:18080", "--health-addr="+fluxHealth,
		"--enable-leader-election=false", "--requeue-dependency=1s")
	if err != nil {
		b.T.Fatal(err)
	}
	b.T.Cleanup(func() {
		if err := p.kill(); err != nil {
			b.T.Errorf("ending kustomize-controller: %v", err)
		}
	})
	if err := p.untilReady(b.T.Context(), http.DefaultClient, "http://"+fluxHealth); err != nil {
		b.T.Fatal(err)
	}
}
