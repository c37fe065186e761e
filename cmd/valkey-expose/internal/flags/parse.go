package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/schema"
)

// parse holds the flags against each other and gives the generator's options.
func (r *Render) parse() (gen.Options, error) {
	o := r.options
	for _, check := range []error{
		injections().check("inject", o.Inject),
		rolls().check("roll", o.Roll),
		rollFlags(o),
		workloadFlags(o),
		admissionVersions().check("admission-version", o.AdmissionVersion),
		tcpRouteVersions().check("tcproute-version", o.TCPRouteVersion),
		readbacks().check("readback", o.Readback),
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
		if err := gitOpsTools().check("gitops", tool); err != nil {
			return o, err
		}
	}
	if slices.Contains(r.gitops, noGitOps) && len(r.gitops) > 1 {
		return o, fmt.Errorf("--gitops %s cannot be combined with another value", noGitOps)
	}
	o.ArgoCD = slices.Contains(r.gitops, argoCD)
	o.Flux = slices.Contains(r.gitops, flux)
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

// rollFlags refuses what leaves running pods without an announcement.
func rollFlags(o gen.Options) error {
	switch {
	case o.Roll != schema.RollLater:
	case !inject.Named(o.Inject).Marker:
		return fmt.Errorf("--roll later is for --inject %s: nothing else is rolled by what is rendered", schema.InjectAdmission)
	case o.Readback == schema.ReadbackNone:
		return errors.New("--roll later needs the read-back Job, which announces to pods that are not made anew: --readback none renders none")
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
