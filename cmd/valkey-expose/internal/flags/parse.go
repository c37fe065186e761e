package flags

import (
	"errors"
	"slices"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/schema"
)

// parse holds the flags against each other and gives the generator's options.
func (r *Render) parse() (gen.Options, error) {
	o := r.options
	for _, check := range []error{
		oneOf("inject", o.Inject, inject.Names()...),
		workloadFlags(o),
		oneOf("admission-version", o.AdmissionVersion, "v1", "v1beta1"),
		oneOf("tcproute-version", o.TCPRouteVersion, "v1", "v1alpha2"),
		oneOf("readback", o.Readback, schema.ReadbackJob, schema.ReadbackCronJob, schema.ReadbackNone),
		CheckNamespace(o.Namespace),
		checkImage("readback-image", o.ReadbackImage),
		checkName("readback-pull-secret", o.ReadbackPullSecret, "the name of a Secret"),
		checkName("readback-client-secret", o.ReadbackClientSecret, "the name of a Secret"),
		checkSchedule("readback-schedule", o.ReadbackSchedule),
		r.jobFlags(),
	} {
		if check != nil {
			return o, check
		}
	}
	for _, tool := range r.gitops {
		if err := oneOf("gitops", tool, "argocd", "flux", "none"); err != nil {
			return o, err
		}
	}
	if slices.Contains(r.gitops, "none") && len(r.gitops) > 1 {
		return o, errors.New("--gitops none cannot be combined with another value")
	}
	o.ArgoCD = slices.Contains(r.gitops, "argocd")
	o.Flux = slices.Contains(r.gitops, "flux")
	return o, nil
}

// jobFlags refuses what changes a Job where none is rendered, and a schedule where no
// CronJob is: who gives it expects one.
func (r *Render) jobFlags() error {
	o := r.options
	switch none := o.Readback == schema.ReadbackNone; {
	case o.Readback != schema.ReadbackCronJob && o.ReadbackSchedule != gen.Defaults().ReadbackSchedule:
		return errors.New("--readback-schedule is for --readback cronjob")
	case none && (r.podPatch != "" || o.ReadbackNetworkPolicy || o.ReadbackClientSecret != ""):
		return errors.New("--readback-pod, --readback-network-policy and --readback-client-secret are for the Job, which --readback none does not render")
	}
	return nil
}

// workloadFlags checks what only patches need.
func workloadFlags(o gen.Options) error {
	if !inject.Named(o.Inject).Unmanaged && (o.WorkloadName != gen.Defaults().WorkloadName || len(o.WorkloadArgs) > 0) {
		return errors.New("--workload-name and --workload-arg are for --inject patch")
	}
	return checkWorkloadName("workload-name", o.WorkloadName)
}
