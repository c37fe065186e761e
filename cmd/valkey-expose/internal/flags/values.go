package flags

import (
	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/schema"
)

// injections are the values of --inject.
func injections() choices {
	var all choices
	for _, way := range inject.Ways() {
		all = append(all, choice{way.Name, way.Summary})
	}
	return all
}

// readbacks are the values of --readback.
func readbacks() choices {
	return choices{{schema.ReadbackJob, ""}, {schema.ReadbackCronJob, "the Job and a CronJob"}, {schema.ReadbackNone, ""}}
}

// rolls are the values of --roll.
func rolls() choices {
	return choices{{schema.RollNow, ""}, {schema.RollLater, "when they are next made anew: no pod is restarted to enable; needs serviceScope: node"}}
}

// Values of --gitops.
const (
	argoCD   = "argocd"
	flux     = "flux"
	noGitOps = "none"
)

func gitOpsTools() choices { return choices{{argoCD, ""}, {flux, ""}, {noGitOps, ""}} }

// admissionVersions are the values of --admission-version.
func admissionVersions() choices {
	return choices{{"v1", ""}, {"v1beta1", "for Kubernetes 1.34 and 1.35"}}
}

// tcpRouteVersions are the values of --tcproute-version.
func tcpRouteVersions() choices {
	return choices{{"v1", ""}, {"v1alpha2", "for a Gateway API before 1.6"}}
}
