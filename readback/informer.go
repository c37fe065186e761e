package readback

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// rightsGrace is how long a right may be missing before that is an error: a Role
// that is applied together with the Job, or read anew by an API server that
// restarts, comes a moment late.
const rightsGrace = 15 * time.Second

// informer holds the cluster's objects of one kind as the API server last sent
// them: one list, and a watch from there on.
type informer[T metav1.Object] struct {
	resource string
	changed  func()

	mu       sync.Mutex
	items    map[string]T
	listed   bool
	watching bool             // at least once: a right that is missing is found in every run
	faults   map[string]fault // by verb
}

// fault is why a request was refused or failed, until one succeeds.
type fault struct {
	err         error
	deniedSince time.Time
}

// startInformer follows the selected objects until ctx ends.
func startInformer[T metav1.Object](ctx context.Context, client *rest.RESTClient, resource, namespace string, selection metav1.ListOptions, empty, list runtime.Object, changed func()) *informer[T] {
	s := &informer[T]{resource: resource, changed: changed, items: map[string]T{}, faults: map[string]fault{}}
	request := func(o metav1.ListOptions) *rest.Request {
		o.LabelSelector, o.FieldSelector = selection.LabelSelector, selection.FieldSelector
		return client.Get().Namespace(namespace).Resource(resource).VersionedParams(&o, metav1.ParameterCodec)
	}
	lw := listWatcher{
		list: func(o metav1.ListOptions) (runtime.Object, error) {
			// Not what some API server remembers: a Service made anew a moment ago
			// has other ports. All in one answer.
			o.ResourceVersion, o.ResourceVersionMatch, o.Limit = "", "", 0
			into := list.DeepCopyObject()
			err := request(o).Do(ctx).Into(into)
			s.noteResult("list", err)
			return into, err
		},
		watch: func(o metav1.ListOptions) (watch.Interface, error) {
			o.Watch = true
			w, err := request(o).Watch(ctx)
			s.noteResult("watch", err)
			return w, err
		},
	}
	reflector := cache.NewReflectorWithOptions(lw, empty, s, cache.ReflectorOptions{
		Name: resource,
		// A watch that ends soon is no fault; an API server that restarts is back
		// within seconds.
		Backoff: &wait.Backoff{Duration: 200 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 10, Cap: 3 * time.Second},
	})
	go reflector.RunWithContext(ctx)
	return s
}

// noteResult notes how a request went.
func (s *informer[T]) noteResult(verb string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed()
	if err == nil {
		delete(s.faults, verb)
		s.watching = s.watching || verb == "watch"
		return
	}
	f := fault{err: err}
	if apierrors.IsForbidden(err) {
		if f.deniedSince = s.faults[verb].deniedSince; f.deniedSince.IsZero() {
			f.deniedSince = time.Now()
		}
	}
	s.faults[verb] = f
}

// state is what is known now: the objects, and what stands in the way of knowing
// them, if anything; an error if that will not pass.
func (s *informer[T]) state() (items []T, reason string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, verb := range []string{"list", "watch"} {
		f, faulty := s.faults[verb]
		if !faulty {
			continue
		}
		if !f.deniedSince.IsZero() && time.Since(f.deniedSince) > rightsGrace {
			return nil, "", fmt.Errorf("reading %s: %w", s.resource, f.err)
		}
		return nil, fmt.Sprintf("reading %s: %v", s.resource, f.err), nil
	}
	if !s.listed || !s.watching {
		return nil, "reading " + s.resource, nil
	}
	for _, item := range s.items {
		items = append(items, item)
	}
	return items, "", nil
}

// Add, Update, Delete, Replace and Resync are what the reflector calls.

func (s *informer[T]) Add(object any) error { return s.Update(object) }

func (s *informer[T]) Update(object any) error {
	return s.change(object, func(item T) { s.items[item.GetName()] = item })
}

func (s *informer[T]) Delete(object any) error {
	return s.change(object, func(item T) { delete(s.items, item.GetName()) })
}

func (s *informer[T]) change(object any, do func(T)) error {
	item, ok := object.(T)
	if !ok {
		return fmt.Errorf("the API server sent a %T among %s", object, s.resource)
	}
	s.mu.Lock()
	do(item)
	s.mu.Unlock()
	s.changed()
	return nil
}

func (s *informer[T]) Replace(objects []any, _ string) error {
	items := make(map[string]T, len(objects))
	for _, object := range objects {
		item, ok := object.(T)
		if !ok {
			return fmt.Errorf("the API server sent a %T among %s", object, s.resource)
		}
		items[item.GetName()] = item
	}
	s.mu.Lock()
	s.items, s.listed = items, true
	s.mu.Unlock()
	s.changed()
	return nil
}

func (s *informer[T]) Resync() error { return nil }

// listWatcher asks for a list and then a watch, each of which is a right of its
// own, rather than for a watch that begins with a list.
type listWatcher struct {
	list  func(metav1.ListOptions) (runtime.Object, error)
	watch func(metav1.ListOptions) (watch.Interface, error)
}

func (l listWatcher) List(o metav1.ListOptions) (runtime.Object, error) { return l.list(o) }

func (l listWatcher) Watch(o metav1.ListOptions) (watch.Interface, error) { return l.watch(o) }

func (listWatcher) IsWatchListSemanticsUnSupported() bool { return true }

var (
	_ cache.ReflectorStore = (*informer[*corev1.Pod])(nil)
	_ cache.ListerWatcher  = listWatcher{}
)
