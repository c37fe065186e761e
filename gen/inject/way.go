package inject

import "github.com/valkey-expose/valkey-expose/gen/plan"

// Way is one way to get what each node announces into its pod.
type Way struct {
	// Name is the value of Options.Inject and of the Plan's, Summary what it renders,
	// for the flag's help; "" where the name says it.
	Name, Summary string

	// File is that of a rendered directory by which the way is known again, "" if
	// nothing is rendered. That of a Component is in a folder of its own, and no
	// resource of the directory's.
	File string

	// Objects are applied before the ValkeyCluster; nil is none.
	Objects func(*plan.Exposed) []any

	// Component is a kustomize Component, which is a folder; nil is none.
	Component func(*plan.Exposed) ([]byte, error)

	// Marker says that the pods have to be made anew to get what they announce: the
	// ValkeyCluster carries a constant environment variable as long as external
	// access is on, so that the operator rolls them.
	Marker bool

	// Unmanaged says that the workloads are named by the options and that no operator
	// makes them: the ValkeyCluster is the declaration and no object.
	Unmanaged bool
}
