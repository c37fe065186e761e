package objects

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// PlanMap renders the ConfigMap that holds the Plan, for the Job, and for
// comparing a later render with this one. Job is the name of the Job that carries
// the Plan out, "" if none is rendered.
func PlanMap(x *plan.Exposed, job string) *corev1.ConfigMap {
	m := configMap(x, schema.PlanName(x.Plan.Cluster))
	m.Data = map[string]string{schema.PlanKey: x.Text}
	if job != "" {
		m.Data[schema.JobKey] = job
	}
	return m
}
