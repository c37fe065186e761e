package gen

import (
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// exposeValue makes on the value of a document what expose makes in its text.
func exposeValue(root any, c *schema.Cluster, o Options) {
	unset(root, "status")
	if c.Namespace == "" {
		mapIn(root, "metadata")["namespace"] = o.Namespace
	}
	if o.Inject != InjectAdmission {
		return
	}
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

// named is the index of the first mapping of a list with a name; -1 without one.
func named(list []any, name string) int {
	return slices.IndexFunc(list, func(v any) bool {
		element, _ := v.(map[string]any)
		return element["name"] == name
	})
}

// mapIn is a mapping inside a mapping. One that is missing, or is not a mapping,
// is an empty one that belongs to nothing.
func mapIn(of any, name string) map[string]any {
	members, _ := of.(map[string]any)
	if inner, ok := members[name].(map[string]any); ok {
		return inner
	}
	return map[string]any{}
}

// unset takes the member at a path out, if it is there.
func unset(root any, path ...string) {
	last := len(path) - 1
	for _, name := range path[:last] {
		root = mapIn(root, name)
	}
	members, _ := root.(map[string]any)
	delete(members, path[last])
}
