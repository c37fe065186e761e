//go:build pipelines

package e2e

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// Flux's own controller applies the example: the policy first, then the rest, and
// it is Ready when the Job has announced. Reconciled again, nothing changes.
func TestFluxAppliesTheExample(t *testing.T) {
	t.Parallel()
	b := start(t)
	d := newDeployment(b)
	d.render(byHostname(b))
	d.commit("hostname")
	c, _ := fluxUp(d, "true")
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)

	before, services := endpointsMap(b), serviceVersions(b)
	fluxReconciles(b, "orders-policy", "orders")
	if after := endpointsMap(b); after.ResourceVersion != before.ResourceVersion {
		t.Errorf("reconciled again, the record went from %s to %s", before.ResourceVersion, after.ResourceVersion)
	}
	if after := serviceVersions(b); fmt.Sprint(after) != fmt.Sprint(services) {
		t.Errorf("reconciled again, the Services went from %v to %v", services, after)
	}
	// What Flux applied goes with it.
	for _, name := range []string{"orders", "orders-policy"} {
		if err := b.Dynamic().Resource(fluxKustomizations).Namespace(b.Namespace).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		b.WaitGone(fluxKustomizations, b.Namespace, name)
	}
}

// fluxUp has Flux apply the example's Kustomizations, with prune on or off, until
// they are Ready.
func fluxUp(d deployment, prune string) (c *operator.Cluster, revision string) {
	b := d.b
	b.T.Helper()
	b.StartFlux()
	revision = publish(d)
	for _, file := range []string{"policy", "cluster"} {
		b.Apply(strings.Replace(fluxExample(b, file), "prune: true", "prune: "+prune, 1))
	}
	bed.WaitFor(b, operator.ValkeyClusters, b.Namespace, clusterName, "to be applied", func(*unstructured.Unstructured) bool { return true })
	if !hasOverlay(dryRun(b, podOf(clusterName, 0, 0))) {
		b.T.Log("the ValkeyCluster is there a moment before the policy is in force")
	}
	inForce(b)
	c = operator.For(b, clusterName)
	c.Up()
	fluxReady(b, "orders-policy", revision)
	fluxReady(b, "orders", revision)
	return c, revision
}

// A change is reverted, and Flux carries that out, whether it prunes or not. At its
// intervals it makes no Job anew.
func TestFluxAppliesAChangeTakenBack(t *testing.T) {
	t.Parallel()
	for _, prune := range []string{"true", "false"} {
		t.Run("prune "+prune, func(t *testing.T) {
			t.Parallel()
			b := start(t)
			d := newDeployment(b)
			d.render(byHostname(b))
			d.commit("hostname")
			c, first := fluxUp(d, prune)
			announcesNodePorts(b, c)
			uid := staysDone(d)
			name := d.job().Name

			d.render(byIP(b))
			d.commit("ip")
			fluxReady(b, "orders", publish(d))
			prefers(b, c, "ip", domain)

			d.revert()
			third := publish(d)
			if third == first {
				t.Fatal("the revert is no commit of its own")
			}
			fluxReady(b, "orders", third)
			cameBack(d, c, name, uid)
			staysDone(d)
		})
	}
}

// staysDone reconciles twice, and returns the Job, which is the only one and stays
// the same.
func staysDone(d deployment) types.UID {
	b := d.b
	b.T.Helper()
	uid, record := d.job().UID, endpointsMap(b).ResourceVersion
	for range 2 {
		fluxReconciles(b, "orders-policy", "orders")
		jobs, err := b.Kube().BatchV1().Jobs(b.Namespace).List(b.T.Context(), metav1.ListOptions{})
		if err != nil || len(jobs.Items) != 1 || jobs.Items[0].UID != uid {
			b.T.Errorf("reconciled again, there are the Jobs %v, not %s alone: %v", jobs.Items, uid, err)
		}
		if after := endpointsMap(b).ResourceVersion; after != record {
			b.T.Errorf("reconciled again, the record went from %s to %s", record, after)
		}
	}
	return uid
}
