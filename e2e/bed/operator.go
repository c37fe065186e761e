package bed

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

const operatorHealth = "127.0.0.1:8081"

// operatorProcess is the one operator of a run.
var operatorProcess = sync.OnceValues(func() (*process, error) {
	return startProcess("valkey-operator", "env", "KUBECONFIG="+kubeconfigPath, parts.Operator,
		"--health-probe-bind-address="+operatorHealth)
})

// StartOperator makes the API server know the real operator's kinds, and runs it
// for all namespaces until the run ends. The tests of a run share it.
func (b *Bed) StartOperator() {
	b.T.Helper()
	files, err := filepath.Glob(filepath.Join(parts.OperatorCRDs, "*.yaml"))
	if err != nil {
		b.T.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.T.Fatal(err)
		}
		b.ApplyForAll(string(text))
	}
	p, err := operatorProcess()
	if err == nil {
		err = p.untilReady(context.WithoutCancel(b.T.Context()), http.DefaultClient, "http://"+operatorHealth)
	}
	if err != nil {
		b.T.Fatal(err)
	}
}
