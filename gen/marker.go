package gen

import (
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// The marker is an environment variable of the server's container, there as
// long as external access is on. Its arrival makes the operator roll the pods
// once, in its own order, so that they are created under the policy; its
// leaving rolls them again. It is the same for every setting.
const markerValue = "enabled"

// setMarker merges the marker into spec.containers[name=server].env, making what
// is missing on the way. An entry of the user's is merged with, never replaced.
func setMarker(keepBlock bool) edit {
	return edit{
		value: markValue,
		text:  func(y *yamledit.Document) error { return markText(y, keepBlock) },
	}
}

func markValue(root any) {
	variable := map[string]any{"name": schema.Marker, "value": markerValue}

	spec := mapIn(root, "spec")
	containers, _ := spec["containers"].([]any)
	i := named(containers, schema.ServerContainer)
	if i < 0 {
		containers = append(containers, map[string]any{"name": schema.ServerContainer})
		i = len(containers) - 1
	}
	server := containers[i].(map[string]any)
	env, _ := server["env"].([]any)
	if j := named(env, schema.Marker); j >= 0 {
		env[j] = variable
	} else {
		env = append(env, variable)
	}
	server["env"] = env
	spec["containers"] = containers
}

func markText(y *yamledit.Document, keepBlock bool) error {
	variable := envVar{schema.Marker, markerValue}
	server := container{schema.ServerContainer, []envVar{variable}}

	containers, ok := y.Find("spec", "containers")
	switch {
	case !ok:
		block, found := y.Find("spec", "externalAccess")
		if !found {
			return errNotPlain
		}
		if keepBlock { // its comment stays above it
			return y.InsertAfter(block, "containers", []container{server})
		}
		return y.InsertBefore(block, "containers", []container{server})
	case containers.IsEmpty():
		return y.Fill(containers, []container{server})
	case !containers.IsList():
		return errNotPlain
	}
	all := containers.Elements()
	for _, container := range all {
		name, ok := container.Member("name")
		if !ok || name.Scalar() != schema.ServerContainer {
			continue
		}
		env, ok := container.Member("env")
		switch {
		case !ok:
			return y.InsertAfter(name, "env", []envVar{variable})
		case env.IsEmpty():
			return y.Fill(env, []envVar{variable})
		case !env.IsList():
			return errNotPlain
		}
		variables := env.Elements()
		for _, v := range variables {
			if name, ok := v.Member("name"); ok && name.Scalar() == schema.Marker {
				return nil // from an earlier render; the comparison holds its value to ours
			}
		}
		return y.InsertAfter(variables[len(variables)-1], "", variable)
	}
	return y.InsertAfter(all[len(all)-1], "", server)
}

// container and envVar are what of a container the marker needs, in this order.
type container struct {
	Name string   `yaml:"name" json:"name"`
	Env  []envVar `yaml:"env" json:"env"`
}

type envVar struct {
	Name  string `yaml:"name" json:"name"`
	Value string `yaml:"value" json:"value"`
}

// named is the index of the first mapping of a list with a name; -1 without one.
func named(list []any, name string) int {
	return slices.IndexFunc(list, func(v any) bool {
		element, _ := v.(map[string]any)
		return element["name"] == name
	})
}
