//go:build pipelines

package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// Helm installs a chart through the post-renderer, and upgrades it without a
// change.
func TestHelmExample(t *testing.T) {
	t.Parallel()
	b := start(t)
	helm := func(args string) string {
		t.Helper()
		home := t.TempDir()
		out, err := b.Shell("export PATH=" + filepath.Dir(product.Program(t, "valkey-expose")) + ":$PATH HELM_PLUGINS=" + example(t, "helm") +
			" HELM_CACHE_HOME=" + home + " HELM_CONFIG_HOME=" + home + " HELM_DATA_HOME=" + home + "; helm " + args)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const chart = " --post-renderer valkey-expose "
	install := "upgrade --install " + clusterName + " " + example(t, "helm", "chart") + " -n " + b.Namespace + chart
	helm(install)
	before := serviceVersions(b)
	helm(install)
	if after := serviceVersions(b); !slices.Equal(before, after) {
		t.Errorf("an upgrade without a change made %v of %v", after, before)
	}
	if c := operator.For(b, clusterName); c.Spec.Shards != 3 || len(c.Spec.Containers) != 1 {
		t.Errorf("the ValkeyCluster is %v", c.Spec)
	}
	helm("uninstall " + clusterName + " -n " + b.Namespace)
}

func serviceVersions(b *bed.Bed) (versions []string) {
	b.T.Helper()
	for shard := range 3 {
		versions = append(versions, service(b, shard).ResourceVersion)
	}
	return versions
}
