package gen

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/manifest"
)

// kustomization lists the files in the order of applying, and has kustomize
// keep it.
func kustomization(resources, configurations []string) ([]byte, error) {
	content := map[string]any{
		"apiVersion":  "kustomize.config.k8s.io/v1beta1",
		"kind":        "Kustomization",
		"sortOptions": map[string]any{"order": "fifo"},
		"resources":   resources,
	}
	if configurations != nil {
		content["configurations"] = configurations
	}
	text, err := manifest.Encode(content)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", KustomizationFile, err)
	}
	return text, nil
}

// kustomizeConfig has kustomize refuse what would break the rendered objects in
// silence: another name, for names also stand in the policy, the Plan and the files,
// where kustomize does not look; and another label in the Services' selectors, for
// the operator's pods do not have it. (Workloads that kustomize makes get it too.)
//
// A configuration of a base holds for whoever builds upon it. It adds a field for
// the transformer to change, which is below a string: there the build ends, and
// shows the field.
func kustomizeConfig(way inject.Way) ([]byte, error) {
	field := func(kind, path string) []any {
		return []any{map[string]any{"kind": kind, "path": path}}
	}
	name := field("ConfigMap", "metadata/name/is final: what valkey-expose rendered cannot be renamed; name the ValkeyCluster as it shall be named and render")
	config := map[string]any{"namePrefix": name, "nameSuffix": name}
	if !way.Unmanaged {
		config["commonLabels"] = field("Service", "spec/type/selectors are final: the operator's pods do not have this label; use labels without includeSelectors")
	}
	text, err := manifest.Encode(config)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", kustomizeConfigFile, err)
	}
	return text, nil
}
