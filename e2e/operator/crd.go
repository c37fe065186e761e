package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// ValkeyClusters is the resource of the stand-in's CRD.
var ValkeyClusters = schema.GroupVersionResource{Group: "valkey.io", Version: "v1alpha1", Resource: "valkeyclusters"}

type object = map[string]any

// InstallCRD makes the API server know ValkeyCluster: what the operator reads,
// and, if external, with schema/crd-patch.yaml applied, so that it has
// spec.externalAccess and status.externalEndpoints, which no released CRD has. The
// CRD stays for the other tests; installing the other form replaces it, so tests
// that need external do not run in parallel.
func InstallCRD(b *bed.Bed, external bool) {
	b.T.Helper()
	manifest, err := json.Marshal(crd())
	if err != nil {
		b.T.Fatal(err)
	}
	if external {
		manifest = patched(b, manifest)
	}
	b.ApplyForAll(string(manifest))
	// Established says that the kind is served, not that the schema of before is
	// forgotten: the API server's answer to a dry run does.
	b.Eventually("the CRD to be in force", func() error {
		probe := func(spec object) error {
			return b.DryRun(object{
				"apiVersion": "valkey.io/v1alpha1", "kind": "ValkeyCluster",
				"metadata": object{"name": "probe", "namespace": corev1.NamespaceDefault}, "spec": spec,
			})
		}
		if err := probe(object{"shards": 1}); err != nil {
			return err
		}
		err := probe(object{"shards": 1, "externalAccess": object{"enabled": true}})
		if !external && err == nil {
			return errors.New("the field externalAccess is still known")
		}
		if external {
			return err
		}
		return nil
	})
}

// patched is a CRD with the project's patch applied, as kustomize applies it.
func patched(b *bed.Bed, crd []byte) []byte {
	b.T.Helper()
	text, err := os.ReadFile(filepath.Join(product.Root(b.T), "schema", "crd-patch.yaml"))
	if err != nil {
		b.T.Fatal(err)
	}
	operations, err := yaml.YAMLToJSON(text)
	if err != nil {
		b.T.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch(operations)
	if err != nil {
		b.T.Fatalf("reading the patch: %v", err)
	}
	result, err := patch.Apply(crd)
	if err != nil {
		b.T.Fatalf("patching the CRD: %v", err)
	}
	return result
}

// crd has the shape of the operator's where the patch touches it: shards are
// required, and spec has a rule of its own, the whole object none.
func crd() object {
	anything := object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	container := object{
		"type": "object", "required": []any{"name"}, "x-kubernetes-preserve-unknown-fields": true,
		"properties": object{"name": object{"type": "string"}, "image": object{"type": "string"}},
	}
	spec := object{
		"type": "object", "required": []any{"shards"},
		"properties": object{
			"shards":   object{"type": "integer", "format": "int32", "minimum": 1},
			"replicas": object{"type": "integer", "format": "int32", "minimum": 0},
			"image":    object{"type": "string"}, "workloadType": object{"type": "string"},
			"config":     object{"type": "object", "additionalProperties": object{"type": "string"}},
			"networking": anything, "tls": anything, "resources": anything,
			"containers": object{"type": "array", "items": container},
		},
		"x-kubernetes-validations": []any{object{
			"rule":    "!has(self.workloadType) || self.workloadType in ['StatefulSet', 'Deployment']",
			"message": "workloadType is StatefulSet or Deployment",
		}},
	}
	status := object{"type": "object", "properties": object{
		"state": object{"type": "string"}, "readyShards": object{"type": "integer"},
	}}
	root := object{"type": "object", "required": []any{"spec"}, "properties": object{"spec": spec, "status": status}}
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": fmt.Sprintf("%s.%s", ValkeyClusters.Resource, ValkeyClusters.Group)},
		"spec": object{
			"group": ValkeyClusters.Group, "scope": "Namespaced",
			"names": object{"plural": "valkeyclusters", "singular": "valkeycluster", "kind": "ValkeyCluster", "listKind": "ValkeyClusterList"},
			"versions": []any{object{
				"name": ValkeyClusters.Version, "served": true, "storage": true,
				"subresources": object{"status": object{}},
				"schema":       object{"openAPIV3Schema": root},
			}},
		},
	}
}
