package transition

import "github.com/valkey-expose/valkey-expose/schema"

// Object is one of the user's own that a rendering holds: what a pipeline that
// prunes knows it by. The version of its API may change, it stays the same object.
type Object struct{ Group, Kind, Namespace, Name string }

func (o Object) String() string { return o.Kind + " " + schema.QualifiedName(o.Namespace, o.Name) }

// TakesAway refuses what deletes objects of the user's own. Git and the cluster
// are one to a pipeline that prunes: what is no longer rendered is deleted, a
// ValkeyCluster with its data, a Namespace with all that is in it.
func TakesAway(gone []Object) Refusal {
	var names []string
	var with string
	for _, o := range gone {
		names = append(names, o.String())
		switch {
		case o.Group == schema.Group && o.Kind == schema.Kind:
			with = ", the database and its data with it"
		case o.Group == "" && o.Kind == "Namespace" && with == "":
			with = ", a namespace with all that is in it"
		}
	}
	return Refusal{
		Reason: "takes away " + some(names) + ", which a pipeline that prunes deletes" + with,
		Step:   "keep them in the input under the same namespace and name (--inject patch renders no ValkeyCluster), or render to another directory",
	}
}
