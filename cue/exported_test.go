package rules

import (
	"strings"
	"testing"
)

func TestWhatTheServerOwns(t *testing.T) {
	exported := strings.Replace(orders, "metadata: {name: orders, namespace: shop}\n", `metadata:
  name: orders
  resourceVersion: "12"
  uid: 6c1
  generation: 3
  selfLink: /apis
  creationTimestamp: "2026-12-01T00:00:00Z"
  managedFields: [{manager: kubectl}]
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {}
`, 1)
	holds(t, exported, []string{"orders"},
		"5:3: warning: metadata.resourceVersion: is the API server's, and left out", "6:3: warning: metadata.uid:", "7:3: warning: metadata.generation:",
		"8:3: warning: metadata.selfLink:", "9:3: warning: metadata.creationTimestamp:", "10:3: warning: metadata.managedFields:",
		"12:5: warning: metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]:")
	holds(t, strings.Replace(orders, "namespace: shop", "creationTimestamp: null", 1), []string{"orders"}) // as generators write it
}
