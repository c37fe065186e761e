package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

func newRender() *cobra.Command {
	var in input
	options := renderFlags{options: gen.Defaults()}
	var format, directory string
	var force bool
	cmd := &cobra.Command{
		Use:   "render -f FILE",
		Short: "Render the manifests that make a cluster reachable",
		Long: `Render the manifests that make a cluster reachable.

To standard output, every document of the files passes through in its place; a
ValkeyCluster with external access is followed and preceded by the objects it
needs, in the order of applying. With -o, one cluster's manifests are written to
a directory as a kustomize base: all files or none. Files there that are not
valkey-expose's own are left alone.

What the directory holds is compared first. A change that would take objects of
the input away, drop hostnames while clients are sent to them, have them lead
elsewhere, or move ports that people know, is refused, with the step to take
first. What goes away is listed; valkey-expose plan shows it all.

A run that is killed leaves every file old or new, and a kustomization that does
not build; the next one puts it right. One at a time writes to a directory.`,
		Example: `  # A kustomize base for Git
  valkey-expose render -f cluster.yaml -n default -o deploy/

  # As a filter: a Helm post-renderer, or straight into a cluster
  valkey-expose render -f - < all.yaml
  valkey-expose render -f cluster.yaml -n default | kubectl apply --server-side -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "yaml", "json"); err != nil {
				return err
			}
			if err := givenDirectory(cmd, directory); err != nil {
				return err
			}
			if directory != "" && cmd.Flags().Changed("format") {
				return errors.New("--format is for standard output, not for --output-dir")
			}
			if directory == "" && force {
				return errors.New("--force is for --output-dir: standard output is compared with nothing")
			}
			documents, o, err := options.load(cmd, &in)
			if err != nil {
				return err
			}
			if directory != "" {
				return renderDirectory(cmd.Context(), cmd.ErrOrStderr(), documents, o, directory, force)
			}
			if o.Inject == gen.InjectPatch {
				return errors.New("--inject patch needs --output-dir: a Component is a folder")
			}
			write := gen.Stream
			if format == "json" {
				write = gen.List
			}
			out, err := write(documents, o)
			if err != nil {
				return failedError{err}
			}
			_, err = cmd.OutOrStdout().Write(out)
			return err
		},
	}
	in.flags(cmd)
	options.flags(cmd)
	cmd.Flags().StringVarP(&directory, "output-dir", "o", "", "directory to write a kustomize base to, instead of standard output")
	cmd.Flags().BoolVar(&force, "force", false, "with --output-dir, make a change at once that breaks clients")
	cmd.Flags().StringVar(&format, "format", "yaml", "format of standard output: yaml (a stream) or json (one List)")
	if err := cmd.MarkFlagDirname("output-dir"); err != nil {
		panic(err)
	}
	complete(cmd, "format", "yaml", "json")
	return cmd
}

// renderDirectory writes the manifests of the one cluster with external access,
// unless that would break clients of what the directory holds.
func renderDirectory(ctx context.Context, stderr io.Writer, documents []schema.Document, o gen.Options, directory string, force bool) (err error) {
	files, err := directoryFiles(documents, o, directory)
	if err != nil {
		return err
	}
	writing := func(err error) error { return failedError{fmt.Errorf("writing %s: %w", directory, err)} }
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return writing(err)
	}
	unlock, err := lock(directory, func() {
		fmt.Fprintf(stderr, "%s: note: waiting for another render to end in %s\n", name, printable(directory))
	})
	if err != nil {
		return writing(err)
	}
	defer unlock()

	have, t, err := compare(directory, files)
	var unreadable unreadableError
	switch {
	case errors.As(err, &unreadable) && !force:
		return unreadable
	case err != nil && !errors.As(err, &unreadable):
		return writing(err)
	case len(t.Refusals) > 0 && !force:
		printRefusals(stderr, directory, t)
		return rejectedError{}
	}
	// From here on a signal is heeded between two steps, so that none is left half done.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := writeDirectory(ctx, directory, have, files); err != nil {
		return writing(err)
	}
	printNotes(stderr, t)
	return nil
}

// compare works out the transition from what a directory holds, put right first
// where a render was cut short.
func compare(directory string, files []gen.File) (have []gen.File, t gen.Transition, err error) {
	damage := putRight(directory)
	var unreadable unreadableError
	if damage != nil && !errors.As(damage, &unreadable) {
		return nil, t, damage
	}
	if have, err = readFiles(directory); err != nil || damage != nil {
		return have, t, errors.Join(err, damage)
	}
	if t, err = gen.CompareFiles(have, files); err != nil {
		err = unreadableError{directory, err}
	}
	return have, t, err
}

// directoryFiles renders the one cluster with external access. Where none has it
// any more, what was rendered when one had is no longer among the files; which
// that was, the directory says.
func directoryFiles(documents []schema.Document, o gen.Options, directory string) ([]gen.File, error) {
	switch clusters := gen.Exposed(documents); {
	case len(clusters) > 1:
		return nil, failedError{fmt.Errorf("a directory holds one cluster with external access, and the input has %d", len(clusters))}
	case len(clusters) == 0 && !slices.ContainsFunc(documents, func(d schema.Document) bool { return d.IsCluster() }):
		if _, err := os.Lstat(filepath.Join(directory, gen.KustomizationFile)); err != nil {
			return nil, failedError{errors.New("a directory holds one cluster with external access, and the input has no ValkeyCluster")}
		}
	}
	files, err := gen.Directory(documents, o)
	if err != nil {
		return nil, failedError{err}
	}
	return files, nil
}

// givenDirectory refuses -o "", which an unset variable of a pipeline becomes.
func givenDirectory(cmd *cobra.Command, directory string) error {
	if directory == "" && cmd.Flags().Changed("output-dir") {
		return errors.New("--output-dir must name a directory, not \"\"")
	}
	return nil
}

// renderFlags are the flags that choose how clusters are rendered.
type renderFlags struct {
	options  gen.Options
	gitops   []string
	podPatch string // a file
}

// load reads and checks what is to be rendered, and gives the options to render
// it with.
func (r *renderFlags) load(cmd *cobra.Command, in *input) ([]schema.Document, gen.Options, error) {
	o, err := r.parse()
	if err != nil {
		return nil, o, err
	}
	if err := r.readPodPatch(cmd, &o, slices.Contains(in.files, "-")); err != nil {
		return nil, o, err
	}
	documents, err := in.load(cmd, o, func(d []schema.Document) []schema.Problem {
		return gen.CheckNamespaces(d, o)
	})
	if err != nil {
		return nil, o, err
	}
	return documents, o, requireImage(documents, o)
}

// requireImage demands an image where a Job is rendered.
func requireImage(documents []schema.Document, o gen.Options) error {
	if o.Readback != gen.ReadbackNone && o.ReadbackImage == "" && len(gen.Exposed(documents)) > 0 {
		return errors.New("--readback-image is required: this build has no default (--readback none renders no Job)")
	}
	return nil
}

func (r *renderFlags) flags(cmd *cobra.Command) {
	o, f := &r.options, cmd.Flags()
	f.StringVarP(&o.Namespace, "namespace", "n", "", "namespace of clusters whose document has none")
	f.StringVar(&o.Inject, "inject", o.Inject, "how the pods get what they announce: admission (a MutatingAdmissionPolicy), patch (a kustomize Component for workloads without the operator) or none")
	f.StringVar(&o.WorkloadName, "workload-name", o.WorkloadName, "with --inject patch, name of each node's StatefulSet or Deployment")
	f.StringArrayVar(&o.WorkloadArgs, "workload-arg", nil, "with --inject patch, an argument that the server in each workload has; may be given more than once")
	f.BoolVar(&o.KeepBlock, "keep-block", false, "leave the block in the ValkeyCluster, for a CRD with schema/crd-patch.yaml")
	f.StringVar(&o.AdmissionVersion, "admission-version", o.AdmissionVersion, "API version of the MutatingAdmissionPolicy: v1, or v1beta1 for Kubernetes 1.34 and 1.35")
	f.StringVar(&o.TCPRouteVersion, "tcproute-version", o.TCPRouteVersion, "API version of the TCPRoutes: v1, or v1alpha2 for a Gateway API before 1.6")
	f.StringVar(&o.Readback, "readback", o.Readback, "what announces ports that Kubernetes allocates: job, cronjob (the Job and a CronJob) or none")
	f.StringVar(&o.ReadbackImage, "readback-image", readbackImage, "image of the read-back Job")
	f.StringVar(&o.ReadbackPullSecret, "readback-pull-secret", "", "Secret to pull the image with")
	f.StringVar(&o.ReadbackClientSecret, "readback-client-secret", "", "Secret with the Job's certificate, where the nodes demand one: its keys tls.crt and tls.key (default: the cluster's own)")
	f.StringVar(&r.podPatch, "readback-pod", "", "file with a strategic merge patch for the Job's pod template: labels, tolerations, resources and the like")
	f.BoolVar(&o.ReadbackNetworkPolicy, "readback-network-policy", false, "render a NetworkPolicy that lets the Job out to the nodes, DNS and the API server")
	f.StringVar(&o.ReadbackSchedule, "readback-schedule", o.ReadbackSchedule, "schedule of the CronJob")
	f.StringSliceVar(&r.gitops, "gitops", []string{"argocd", "flux"}, "whose annotations to add: argocd, flux, or none")
	if err := cmd.MarkFlagFilename("readback-pod", "yaml", "yml", "json"); err != nil {
		panic(err)
	}
	complete(cmd, "inject", gen.InjectAdmission, gen.InjectPatch, gen.InjectNone)
	complete(cmd, "admission-version", "v1", "v1beta1")
	complete(cmd, "tcproute-version", "v1", "v1alpha2")
	complete(cmd, "readback", gen.ReadbackJob, gen.ReadbackCronJob, gen.ReadbackNone)
	complete(cmd, "gitops", "argocd", "flux", "none")
}
