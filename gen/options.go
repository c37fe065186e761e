package gen

import (
	"encoding/json"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Values of Options.Inject.
const (
	InjectAdmission = schema.InjectAdmission // a MutatingAdmissionPolicy puts the overlay into the pods
	InjectPatch     = "patch"                // a kustomize Component puts it into workloads that no operator owns
	InjectNone      = "none"                 // the pods are left alone
)

// Values of Options.Readback.
const (
	ReadbackJob     = "job"     // a Job that runs once
	ReadbackCronJob = "cronjob" // the Job, and a CronJob beside it
	ReadbackNone    = "none"    // neither: ports known now are announced by the files alone
)

// Options are the choices that are no part of the cluster's declaration. The
// zero value is not useful: every string below must be set, unless it says
// otherwise.
type Options struct {
	// Namespace is that of clusters whose document has none; may be empty if
	// none lacks it.
	Namespace string `json:"namespace,omitempty"`

	Inject string `json:"inject,omitempty"`

	// WorkloadName is the name of each node's StatefulSet or Deployment, with
	// {cluster}, {shard} and {node} in it, and WorkloadArgs are the arguments its
	// server has: both for InjectPatch alone.
	WorkloadName string   `json:"workloadName,omitempty"`
	WorkloadArgs []string `json:"workloadArgs,omitempty"`

	AdmissionVersion string `json:"admissionVersion,omitempty"` // v1 or v1beta1
	TCPRouteVersion  string `json:"tcprouteVersion,omitempty"`  // v1 or v1alpha2

	Readback           string `json:"readback,omitempty"`
	ReadbackImage      string `json:"readbackImage,omitempty"`      // unless Readback is none
	ReadbackPullSecret string `json:"readbackPullSecret,omitempty"` // may be empty
	// ReadbackClientSecret holds the Job's certificate where the nodes demand one;
	// "" is the cluster's own.
	ReadbackClientSecret string `json:"readbackClientSecret,omitempty"`
	ReadbackSchedule     string `json:"readbackSchedule,omitempty"` // of the CronJob

	// ReadbackPod is a patch for the Job's pod template, as ReadPodPatch gives it;
	// nil is none.
	ReadbackPod json.RawMessage `json:"readbackPod,omitempty"`

	// ReadbackNetworkPolicy lets the Job's pod out where others may not go out.
	ReadbackNetworkPolicy bool `json:"readbackNetworkPolicy,omitempty"`

	// KeepBlock leaves spec.externalAccess in the ValkeyCluster, for API servers
	// whose CRD has the field.
	KeepBlock bool `json:"keepBlock,omitempty"`

	// ArgoCD and Flux add the annotations these need.
	ArgoCD bool `json:"argocd"`
	Flux   bool `json:"flux"`
}

// Defaults are the options a user gets who chooses nothing. Only the image of
// the read-back Job has no default here.
func Defaults() Options {
	return Options{
		Inject:           InjectAdmission,
		WorkloadName:     WorkloadName,
		AdmissionVersion: "v1",
		TCPRouteVersion:  "v1",
		Readback:         ReadbackJob,
		ReadbackSchedule: "*/10 * * * *",
		ArgoCD:           true,
		Flux:             true,
	}
}
