package operator

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// Plain is a cluster that no operator owns: somebody's own manifests make the
// pods that the operator would make. There is no ValkeyCluster.
func Plain(b *bed.Bed, name string, shards, replicas int) *Cluster {
	return &Cluster{b: b, Name: name, Namespace: b.Namespace, Spec: Spec{Shards: shards, Replicas: replicas}}
}

// Manifests are all of a plain cluster's, as a user writes them.
func (c *Cluster) Manifests() string {
	c.b.T.Helper()
	var documents []string
	put := func(apiVersion, kind string, object any) {
		m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		if err != nil {
			c.b.T.Fatal(err)
		}
		m["apiVersion"], m["kind"] = apiVersion, kind
		delete(m, "status")
		text, err := yaml.Marshal(m)
		if err != nil {
			c.b.T.Fatal(err)
		}
		documents = append(documents, string(text))
	}
	put("v1", "Secret", c.passwords())
	put("v1", "ConfigMap", c.config())
	put("v1", "Service", c.headless())
	for _, n := range c.Nodes() {
		template, err := c.template(n)
		if err != nil {
			c.b.T.Fatal(err)
		}
		put(appsv1.SchemeGroupVersion.String(), "StatefulSet",
			c.statefulSet(n, metav1.ObjectMeta{Name: c.workload(n), Labels: c.labels(n)}, template))
	}
	return strings.Join(documents, "---\n")
}
