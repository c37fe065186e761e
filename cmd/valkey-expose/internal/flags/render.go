// Package flags holds the flags that several commands have: what they are called,
// which values they take, and what they make of the input.
package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Render are the flags that choose how clusters are rendered.
type Render struct {
	options  gen.Options
	gitops   []string
	podPatch string // a file
}

// Flags defines them. The image is the default of --readback-image, "" if the
// build has none.
func (r *Render) Flags(cmd *cobra.Command, image string) {
	r.options = gen.Defaults()
	o, f := &r.options, cmd.Flags()
	Namespace(cmd, &o.Namespace)
	injections().flag(cmd, &o.Inject, "inject", "how the pods get what they announce")
	rolls().flag(cmd, &o.Roll, "roll", "when the pods of a running cluster get it")
	f.StringVar(&o.WorkloadName, "workload-name", o.WorkloadName, "with --inject patch, name of each node's StatefulSet or Deployment")
	f.StringArrayVar(&o.WorkloadArgs, "workload-arg", nil, "with --inject patch, an argument that the server in each workload has; may be given more than once")
	f.BoolVar(&o.KeepBlock, "keep-block", false, "leave the block in the ValkeyCluster, for a CRD with schema/crd-patch.yaml")
	admissionVersions().flag(cmd, &o.AdmissionVersion, "admission-version", "API version of the MutatingAdmissionPolicy")
	tcpRouteVersions().flag(cmd, &o.TCPRouteVersion, "tcproute-version", "API version of the TCPRoutes")
	readbacks().flag(cmd, &o.Readback, "readback", "what announces ports that Kubernetes allocates")
	f.StringVar(&o.ReadbackImage, "readback-image", image, "image of the read-back Job")
	f.StringVar(&o.ReadbackPullSecret, "readback-pull-secret", "", "Secret to pull the image with")
	f.StringVar(&o.ReadbackClientSecret, "readback-client-secret", "", "Secret with the Job's certificate, where the nodes demand one: its keys tls.crt and tls.key (default: the cluster's own)")
	f.StringVar(&r.podPatch, "readback-pod", "", "file with a strategic merge patch for the Job's pod template: labels, tolerations, resources and the like")
	f.BoolVar(&o.ReadbackNetworkPolicy, "readback-network-policy", false, "render a NetworkPolicy that lets the Job out to the nodes, DNS and the API server")
	f.StringVar(&o.ReadbackSchedule, "readback-schedule", o.ReadbackSchedule, "schedule of the CronJob")
	f.StringSliceVar(&r.gitops, "gitops", []string{argoCD, flux}, gitOpsTools().usage("whose annotations to add"))
	gitOpsTools().complete(cmd, "gitops")
	if err := cmd.MarkFlagFilename("readback-pod", "yaml", "yml", "json"); err != nil {
		panic(err) // the flag stands a few lines up
	}
}

// Load reads and checks what is to be rendered, and gives the options to render
// it with.
func (r *Render) Load(cmd *cobra.Command, in *Input) (*gen.Rendering, gen.Options, error) {
	o, err := r.Options(cmd, slices.Contains(in.files, "-"))
	if err != nil {
		return nil, o, err
	}
	rendering, err := in.Load(cmd, o, (*gen.Rendering).CheckNamespaces)
	if err != nil {
		return nil, o, err
	}
	return rendering, o, RequireImage(rendering, o)
}

// Options holds the flags against each other and gives the generator's options.
// It prints every problem of the file that --readback-pod names; standard input
// may be another's.
func (r *Render) Options(cmd *cobra.Command, stdinTaken bool) (gen.Options, error) {
	o, err := r.parse()
	if err != nil {
		return o, err
	}
	return o, r.readPodPatch(cmd, &o, stdinTaken)
}

// InStream refuses what a stream of documents cannot hold; instead is where it is
// rendered to.
func InStream(o gen.Options, instead string) error {
	if inject.Named(o.Inject).Component != nil {
		return fmt.Errorf("--inject %s needs %s: a Component is a folder", o.Inject, instead)
	}
	return nil
}

// RequireImage demands an image where a Job is rendered.
func RequireImage(rendering *gen.Rendering, o gen.Options) error {
	if o.Readback != schema.ReadbackNone && o.ReadbackImage == "" && len(rendering.Plans()) > 0 {
		return errors.New("--readback-image is required: this build has no default (--readback none renders no Job)")
	}
	return nil
}
