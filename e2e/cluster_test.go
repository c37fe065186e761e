package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

const (
	clusterName = "orders"
	domain      = "valkey.example.com"
)

// input is a ValkeyCluster in the test's namespace. access is the block's
// content, more is added to spec; both are YAML at their own indentation.
func input(b *bed.Bed, shards int, access, more string) string {
	indent := func(text, by string) string {
		if text == "" {
			return ""
		}
		return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) + "\n"
	}
	return fmt.Sprintf(`apiVersion: valkey.io/v1alpha1
kind: ValkeyCluster
metadata: {name: %s, namespace: %s}
spec:
  shards: %d
  replicas: 1
%s  externalAccess:
    enabled: true
%s`, clusterName, b.Namespace, shards, indent(more, "  "), indent(access, "    "))
}

const hostnames = `
domain: ` + domain + `
preferredEndpointType: hostname
`

// start is a bed that knows ValkeyClusters.
func start(t *testing.T) *bed.Bed {
	t.Helper()
	b := bed.Start(t)
	operator.InstallCRD(b, false)
	return b
}

// apply renders a cluster, applies everything and makes it, without waiting for
// the pods.
func apply(b *bed.Bed, cluster string, flags ...string) *operator.Cluster {
	b.T.Helper()
	b.Apply(product.Render(b.T, cluster, flags...))
	return operator.For(b, clusterName)
}
