package plan

import (
	"encoding/json"

	"github.com/valkey-expose/valkey-expose/schema"
)

// WorkloadName is the default of Options.WorkloadName: the operator's own names.
const WorkloadName = "valkey-{cluster}-{shard}-{node}"

// Options are the choices that are no part of the cluster's declaration. The
// zero value is not useful: every string below must be set, unless it says
// otherwise.
type Options struct {
	// Namespace is that of clusters whose document has none; may be empty if
	// none lacks it.
	Namespace string `json:"namespace,omitempty"`

	Inject string `json:"inject,omitempty"` // one of the schema's

	Roll string `json:"roll,omitempty"` // RollNow or RollLater of the schema

	// WorkloadName is the name of each node's StatefulSet or Deployment, with
	// {cluster}, {shard} and {node} in it, and WorkloadArgs are the arguments its
	// server has: both for schema.InjectPatch alone.
	WorkloadName string   `json:"workloadName,omitempty"`
	WorkloadArgs []string `json:"workloadArgs,omitempty"`

	AdmissionVersion string `json:"admissionVersion,omitempty"` // v1 or v1beta1
	TCPRouteVersion  string `json:"tcprouteVersion,omitempty"`  // v1 or v1alpha2

	Readback           string `json:"readback,omitempty"`           // one of the schema's
	ReadbackImage      string `json:"readbackImage,omitempty"`      // unless Readback is none
	ReadbackPullSecret string `json:"readbackPullSecret,omitempty"` // may be empty
	// ReadbackClientSecret holds the Job's certificate where the nodes demand one;
	// "" is the cluster's own.
	ReadbackClientSecret string `json:"readbackClientSecret,omitempty"`
	ReadbackSchedule     string `json:"readbackSchedule,omitempty"` // of the CronJob

	// ReadbackPod is a patch for the Job's pod template, as podpatch.Read gives it;
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
		Inject:           schema.InjectAdmission,
		Roll:             schema.RollNow,
		WorkloadName:     WorkloadName,
		AdmissionVersion: "v1",
		TCPRouteVersion:  "v1",
		Readback:         schema.ReadbackJob,
		ReadbackSchedule: "*/10 * * * *",
		ArgoCD:           true,
		Flux:             true,
	}
}
