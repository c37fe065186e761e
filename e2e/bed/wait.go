package bed

import (
	"context"
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// patience is how long WaitFor and Eventually wait unless a test says otherwise:
// far beyond what anything in the bed takes, since a slow machine is no failure.
const patience = 2 * time.Minute

// WaitFor watches one object until holds says yes, and returns it. The test
// fails, with what it waited for and the object as last seen, if that takes
// longer than b.Patience.
func WaitFor[T any](b *Bed, resource schema.GroupVersionResource, namespace, name, what string, holds func(*T) bool) *T {
	b.T.Helper()
	only := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()}
	return waitFor(b, resource, namespace, only, name+" "+what, holds)
}

// WaitForAny is WaitFor for one of the objects with all these labels.
func WaitForAny[T any](b *Bed, resource schema.GroupVersionResource, namespace string, labels map[string]string, what string, holds func(*T) bool) *T {
	b.T.Helper()
	only := metav1.ListOptions{LabelSelector: metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: labels})}
	return waitFor(b, resource, namespace, only, only.LabelSelector+" "+what, holds)
}

func waitFor[T any](b *Bed, resource schema.GroupVersionResource, namespace string, only metav1.ListOptions, what string, holds func(*T) bool) *T {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.T.Context(), b.Patience)
	defer cancel()
	client := b.dynamic.Resource(resource).Namespace(namespace)
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.FieldSelector, o.LabelSelector = only.FieldSelector, only.LabelSelector
			return client.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.FieldSelector, o.LabelSelector = only.FieldSelector, only.LabelSelector
			return client.Watch(ctx, o)
		},
	}
	last, found := new(T), false
	_, err := watchtools.UntilWithSync(ctx, source, &unstructured.Unstructured{}, nil, func(e watch.Event) (bool, error) {
		if e.Type != watch.Added && e.Type != watch.Modified {
			return false, nil
		}
		last, found = new(T), true
		object := e.Object.(*unstructured.Unstructured).Object
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, last); err != nil {
			return false, err
		}
		return holds(last), nil
	})
	if err != nil {
		seen := "it does not exist"
		if found {
			text, _ := json.MarshalIndent(last, "", "  ")
			seen = string(text)
		}
		b.T.Fatalf("waiting for %s in %s: %s: %v\n%s", resource.Resource, namespace, what, err, seen)
	}
	return last
}

// WaitGone watches one object until it is gone.
func (b *Bed) WaitGone(resource schema.GroupVersionResource, namespace, name string) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.T.Context(), b.Patience)
	defer cancel()
	client := b.dynamic.Resource(resource).Namespace(namespace)
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()}
	list, err := client.List(ctx, options)
	if err != nil {
		b.T.Fatalf("waiting for %s %s/%s to go: %v", resource.Resource, namespace, name, err)
	}
	if len(list.Items) == 0 {
		return
	}
	options.ResourceVersion = list.GetResourceVersion()
	events, err := client.Watch(ctx, options)
	if err != nil {
		b.T.Fatalf("waiting for %s %s/%s to go: %v", resource.Resource, namespace, name, err)
	}
	defer events.Stop()
	for e := range events.ResultChan() {
		if e.Type == watch.Deleted {
			return
		}
	}
	b.T.Fatalf("waiting for %s %s/%s to go: still there", resource.Resource, namespace, name)
}

// Eventually asks again and again, for what has no watch: Valkey's own view, or
// what a client sees through kube-proxy. It fails the test with the last answer.
func (b *Bed) Eventually(what string, ask func() error) {
	b.T.Helper()
	deadline := time.Now().Add(b.Patience)
	for {
		err := ask()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			b.T.Fatalf("waiting for %s: %v", what, err)
		}
		select {
		case <-b.T.Context().Done():
			b.T.Fatalf("waiting for %s: %v", what, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
