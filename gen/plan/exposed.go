package plan

import "github.com/valkey-expose/valkey-expose/schema"

// Exposed is a cluster with external access: what it declares, how it is
// rendered, and what follows. It is worked out once, and no renderer changes it.
type Exposed struct {
	Cluster *schema.Cluster
	Options Options
	Plan    schema.Plan
	Text    string // the Plan as the read-back Job gets it
}

// Of works out what follows from a cluster's external access.
func Of(c *schema.Cluster, o Options) *Exposed {
	p := New(c, o)
	return &Exposed{Cluster: c, Options: o, Plan: p, Text: write(p)}
}

// ReadsBack reports whether a read-back Job is rendered.
func (x *Exposed) ReadsBack() bool { return x.Plan.Readback != schema.ReadbackNone }
