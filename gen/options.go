package gen

import (
	"encoding/json"

	"github.com/valkey-expose/valkey-expose/gen/objects"
	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/gen/podpatch"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Options are the choices that are no part of the cluster's declaration.
type Options = plan.Options

// Defaults are the options a user gets who chooses nothing. Only the image of
// the read-back Job has no default here.
func Defaults() Options { return plan.Defaults() }

// ReadPodPatch reads a patch for the pod template of the read-back Job, in YAML or
// JSON. It gives the patch as Options.ReadbackPod has it, or every problem.
func ReadPodPatch(file string, text []byte) (json.RawMessage, []schema.Problem) {
	return podpatch.Read(file, text, objects.OwnInPod())
}
