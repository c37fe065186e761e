package gen

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// builder holds what the renderers of one cluster's objects read.
type builder struct {
	cluster *schema.Cluster
	plan    schema.Plan
	options Options
	gitops  gitops

	text string // of the Plan, once it is written
}

func newBuilder(c *schema.Cluster, o Options) *builder {
	return &builder{
		cluster: c,
		plan:    NewPlan(c, o),
		options: o,
		gitops:  newGitOps(o, c.SyncWave),
	}
}

// meta is the metadata of a namespaced object of the cluster.
func (b *builder) meta(name string, added map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:      name,
		Namespace: b.plan.Namespace,
		Labels:    labels(b.cluster.Name, added),
	}
}

func typeMeta(apiVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}
