// Package e2e proves the rendered manifests on a real API server, real
// controllers, a real kube-proxy and real Valkey. Each test asks the server, not
// the manifests.
package e2e

import (
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

func TestMain(m *testing.M) { bed.Main(m, want) }
