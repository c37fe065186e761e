package operator

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// ValkeyClusters is the resource of the stand-in's CRD.
var ValkeyClusters = schema.GroupVersionResource{Group: "valkey.io", Version: "v1alpha1", Resource: "valkeyclusters"}

type object = map[string]any

// InstallCRD makes the API server know ValkeyCluster: what the operator reads,
// and, if external, also spec.externalAccess and status.externalEndpoints, which
// no released CRD has. The CRD stays for the other tests; installing the other
// form replaces it, so tests that need external do not run in parallel.
func InstallCRD(b *bed.Bed, external bool) {
	b.T.Helper()
	manifest, err := json.Marshal(crd(external))
	if err != nil {
		b.T.Fatal(err)
	}
	b.ApplyForAll(string(manifest))
	// Established says that the kind is served, not that the schema of before is
	// forgotten: the API server's answer to a dry run does.
	b.Eventually("the CRD to be in force", func() error {
		spec := object{"shards": 1}
		if external {
			spec["externalAccess"] = object{"enabled": true}
		}
		return b.DryRun(object{
			"apiVersion": "valkey.io/v1alpha1", "kind": "ValkeyCluster",
			"metadata": object{"name": "probe", "namespace": corev1.NamespaceDefault}, "spec": spec,
		})
	})
}

func crd(external bool) object {
	anything := object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	spec := object{
		"shards": object{"type": "integer"}, "replicas": object{"type": "integer"},
		"image": object{"type": "string"}, "workloadType": object{"type": "string"},
		"config":     object{"type": "object", "additionalProperties": object{"type": "string"}},
		"networking": anything, "tls": anything, "resources": anything,
		"containers": object{
			"type": "array", "items": anything,
		},
	}
	status := object{"state": object{"type": "string"}, "readyShards": object{"type": "integer"}}
	if external {
		spec["externalAccess"] = anything
		status["externalEndpoints"] = object{"type": "array", "items": anything}
	}
	properties := func(p object) object { return object{"type": "object", "properties": p} }
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": fmt.Sprintf("%s.%s", ValkeyClusters.Resource, ValkeyClusters.Group)},
		"spec": object{
			"group": ValkeyClusters.Group, "scope": "Namespaced",
			"names": object{"plural": "valkeyclusters", "singular": "valkeycluster", "kind": "ValkeyCluster", "listKind": "ValkeyClusterList"},
			"versions": []any{object{
				"name": ValkeyClusters.Version, "served": true, "storage": true,
				"subresources": object{"status": object{}},
				"schema":       object{"openAPIV3Schema": properties(object{"spec": properties(spec), "status": properties(status)})},
			}},
		},
	}
}
