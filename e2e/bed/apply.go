package bed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
)

const fieldManager = "bed"

// Apply applies manifests, a YAML stream, in their order: server-side, with
// strict field validation. It returns what the API server answered. Objects
// without a namespace go to the test's; cluster-scoped ones are deleted when the
// test ends.
func (b *Bed) Apply(manifests string) []*unstructured.Unstructured {
	b.T.Helper()
	applied, err := b.TryApply(manifests)
	if err != nil {
		b.T.Fatal(err)
	}
	return applied
}

// TryApply is Apply for manifests that the API server may refuse. It stops at
// the first refusal.
func (b *Bed) TryApply(manifests string) ([]*unstructured.Unstructured, error) {
	objects, err := Decode(manifests)
	if err != nil {
		return nil, err
	}
	var applied []*unstructured.Unstructured
	for _, o := range objects {
		got, err := b.applyOne(o)
		if err != nil {
			return applied, fmt.Errorf("applying %s %s: %w", o.GetKind(), o.GetName(), err)
		}
		applied = append(applied, got)
	}
	return applied, nil
}

func (b *Bed) applyOne(o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	client, clusterScoped, err := b.clientFor(o)
	if err != nil {
		return nil, err
	}
	if clusterScoped {
		b.deleteAtEnd(client, o.GetName())
	}
	return patch(b.T.Context(), client, o, nil)
}

// DeleteAtEnd deletes cluster-scoped objects that somebody else applies when the
// test ends.
func (b *Bed) DeleteAtEnd(manifests string) {
	b.T.Helper()
	b.forEach(manifests, func(client dynamic.ResourceInterface, o *unstructured.Unstructured) error {
		b.deleteAtEnd(client, o.GetName())
		return nil
	})
}

// deleteAtEnd runs once for an object that is applied twice: the second time it
// is gone already.
func (b *Bed) deleteAtEnd(client dynamic.ResourceInterface, name string) {
	b.T.Cleanup(func() {
		err := client.Delete(context.Background(), name, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			b.T.Errorf("deleting %s: %v", name, err)
		}
	})
}

// Delete deletes the objects of manifests, the last first, and waits until they
// are gone.
func (b *Bed) Delete(manifests string) {
	b.T.Helper()
	objects, err := Decode(manifests)
	if err != nil {
		b.T.Fatal(err)
	}
	for i := len(objects) - 1; i >= 0; i-- {
		o := objects[i]
		client, _, err := b.clientFor(o)
		if err != nil {
			b.T.Fatal(err)
		}
		if err := client.Delete(b.T.Context(), o.GetName(), metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}); err != nil {
			b.T.Fatalf("deleting %s %s: %v", o.GetKind(), o.GetName(), err)
		}
		mapping, err := b.mapping(o)
		if err != nil {
			b.T.Fatal(err)
		}
		b.WaitGone(mapping.Resource, o.GetNamespace(), o.GetName())
	}
}

// clientFor finds the object's resource and gives it the test's namespace if it
// needs one and has none.
func (b *Bed) clientFor(o *unstructured.Unstructured) (client dynamic.ResourceInterface, clusterScoped bool, err error) {
	mapping, err := b.mapping(o)
	if err != nil {
		return nil, false, err
	}
	resource := b.dynamic.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return resource, true, nil
	}
	if o.GetNamespace() == "" {
		o.SetNamespace(b.Namespace)
	}
	return resource.Namespace(o.GetNamespace()), false, nil
}

// mapping asks the API server again when it does not know the kind: a CRD may
// have come since.
func (b *Bed) mapping(o *unstructured.Unstructured) (*meta.RESTMapping, error) {
	kind := o.GroupVersionKind()
	mapping, err := b.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) {
		b.mapper.Reset()
		mapping, err = b.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	}
	return mapping, err
}

// Decode reads a YAML stream; empty documents count for nothing.
func Decode(manifests string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifests), 4096)
	for {
		o := &unstructured.Unstructured{}
		err := decoder.Decode(o)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading manifests: %w", err)
		}
		if len(o.Object) > 0 {
			objects = append(objects, o)
		}
	}
}

// ApplyForAll applies cluster-scoped manifests that all tests of the run share,
// and that stay when the test ends.
func (b *Bed) ApplyForAll(manifests string) {
	b.T.Helper()
	b.forEach(manifests, func(client dynamic.ResourceInterface, o *unstructured.Unstructured) error {
		_, err := patch(b.T.Context(), client, o, nil)
		return err
	})
}

// forEach does something with each object of manifests.
func (b *Bed) forEach(manifests string, do func(dynamic.ResourceInterface, *unstructured.Unstructured) error) {
	b.T.Helper()
	objects, err := Decode(manifests)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, o := range objects {
		client, _, err := b.clientFor(o)
		if err == nil {
			err = do(client, o)
		}
		if err != nil {
			b.T.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
}

// DryRun asks the API server whether it would accept an object.
func (b *Bed) DryRun(object map[string]any) error {
	o := &unstructured.Unstructured{Object: object}
	client, _, err := b.clientFor(o)
	if err != nil {
		return err
	}
	_, err = patch(b.T.Context(), client, o, []string{metav1.DryRunAll})
	return err
}

func patch(ctx context.Context, client dynamic.ResourceInterface, o *unstructured.Unstructured, dryRun []string) (*unstructured.Unstructured, error) {
	body, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return client.Patch(ctx, o.GetName(), types.ApplyPatchType, body, metav1.PatchOptions{
		FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict, Force: new(true), DryRun: dryRun,
	})
}
