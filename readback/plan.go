package readback

import (
	"errors"
	"fmt"
	"strings"

	"github.com/valkey-expose/valkey-expose/schema"
)

// CheckJob refuses the name of a Job that is not as it was rendered: kustomize's
// namePrefix and nameSuffix rename objects, but not the names that stand in the
// policy, in the Plan and in the Role.
func CheckJob(name string, plan *schema.Plan) error {
	hash, ok := strings.CutPrefix(name, schema.ReadbackName(plan.Cluster)+"-")
	if !ok || len(hash) != schema.JobHashLength {
		return fmt.Errorf("this Job is named %q, and was rendered as %s-<hash>: something renamed it, such as kustomize's namePrefix, "+
			"and names in the policy and in the Plan are not renamed with it: give the ValkeyCluster the name it shall have, and render", name, schema.ReadbackName(plan.Cluster))
	}
	return nil
}

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
	case plan.PreferredEndpointType != schema.PreferIP && !plan.PrefersHostname():
		return nil, fmt.Errorf("the plan prefers endpoint type %q, which this program does not know: render with the release of valkey-expose that its image belongs to", plan.PreferredEndpointType)
	case plan.Gateway && plan.GatewayRef == nil:
		return nil, errors.New("the plan names no Gateway")
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
