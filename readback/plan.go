package readback

import (
	"errors"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// ParsePlan reads a Plan as the Job finds it in its ConfigMap. The namespace is
// the one the program acts in: a Plan for another is refused, since its names
// would mean other objects here.
func ParsePlan(text []byte, namespace string) (*schema.Plan, error) {
	plan, err := schema.ParsePlan(text)
	var version *schema.PlanVersionError
	switch {
	case errors.As(err, &version):
		return nil, fmt.Errorf("%w: render with the release of valkey-expose that its image belongs to", err)
	case err != nil:
		return nil, fmt.Errorf("reading the plan: %w", err)
	case plan.Cluster == "":
		return nil, errors.New("the plan names no cluster")
	case plan.Namespace != namespace:
		return nil, fmt.Errorf("the plan is for namespace %q, but this is %q", plan.Namespace, namespace)
	case len(plan.Nodes) == 0:
		return nil, errors.New("the plan has no nodes")
	}
	if err := ordered(plan.Nodes); err != nil {
		return nil, err
	}
	return plan, nil
}

// ordered checks what the record relies on: each shard's nodes one after the
// other, counted from 0.
func ordered(nodes []schema.Node) error {
	shard, index := 0, 0
	for i, n := range nodes {
		if i > 0 && n.Shard == shard+1 {
			shard, index = n.Shard, 0
		}
		if n.Shard != shard || n.Index != index {
			return fmt.Errorf("the plan has node %d-%d where %d-%d belongs", n.Shard, n.Index, shard, index)
		}
		index++
	}
	return nil
}
