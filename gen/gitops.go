package gen

import (
	"maps"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// gitops holds the annotations that put the objects into the hands of Argo CD
// and Flux, by what the objects need.
type gitops struct {
	// before and after are what must be there before the pods are rolled, and
	// what may wait for them. A load balancer that stays pending must not hold
	// the database back.
	before, after map[string]string

	// optional is for kinds the API server may not have.
	optional map[string]string

	// job is for the Job: it runs after a sync, and may be made anew.
	job map[string]string
}

func newGitOps(o Options, wave int) gitops {
	var g gitops
	if o.ArgoCD {
		const prefix = "argocd.argoproj.io/"
		g.before = map[string]string{prefix + "sync-wave": strconv.Itoa(wave - 1)}
		g.after = map[string]string{prefix + "sync-wave": strconv.Itoa(wave + 1)}
		g.optional = map[string]string{prefix + "sync-options": "SkipDryRunOnMissingResource=true"}
		g.job = map[string]string{
			prefix + "hook":               "PostSync",
			prefix + "hook-delete-policy": "BeforeHookCreation,HookSucceeded",
		}
	}
	if o.Flux {
		// A Job's template is immutable. Nothing else is forced: a Service made
		// anew would get other node ports.
		g.job = merged(g.job, map[string]string{"kustomize.toolkit.fluxcd.io/force": "enabled"})
	}
	return g
}

// annotate adds annotations to an object.
func annotate(o metav1.Object, added map[string]string) {
	if len(added) > 0 {
		o.SetAnnotations(merged(o.GetAnnotations(), added))
	}
}

// merged is a new map of both; the second wins.
func merged(a, b map[string]string) map[string]string {
	all := make(map[string]string, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}
