package metadata

import (
	"strconv"

	"github.com/valkey-expose/valkey-expose/gen/plan"
)

// Annotations of Argo CD and Flux, by what an object needs.

const argoCD = "argocd.argoproj.io/"

// Before has an object there before the pods are rolled.
func Before(x *plan.Exposed) map[string]string { return wave(x, -1) }

// After lets an object wait for the pods. A load balancer that stays pending must
// not hold the database back.
func After(x *plan.Exposed) map[string]string { return wave(x, +1) }

func wave(x *plan.Exposed, step int) map[string]string {
	if !x.Options.ArgoCD {
		return nil
	}
	return map[string]string{argoCD + "sync-wave": strconv.Itoa(x.Cluster.SyncWave + step)}
}

// Optional is for kinds that the API server may not have.
func Optional(x *plan.Exposed) map[string]string {
	if !x.Options.ArgoCD {
		return nil
	}
	return map[string]string{argoCD + "sync-options": "SkipDryRunOnMissingResource=true"}
}

// Job is for the Job: it runs after a sync, and may be made anew.
func Job(x *plan.Exposed) map[string]string {
	all := map[string]string{}
	if x.Options.ArgoCD {
		all[argoCD+"hook"] = "PostSync"
		all[argoCD+"hook-delete-policy"] = "BeforeHookCreation,HookSucceeded"
	}
	if x.Options.Flux {
		// A Job's template is immutable. Nothing else is forced: a Service made
		// anew would get other node ports.
		all["kustomize.toolkit.fluxcd.io/force"] = "enabled"
	}
	return all
}
