package operator

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// idle is how soon the operator looks again when no watch wakes it: Valkey has
// none.
const idle = 500 * time.Millisecond

// running are the clusters that have an operator, by namespace and name.
var running sync.Map

// Run starts the operator for a ValkeyCluster of the test's namespace, which need
// not exist yet. It runs until the test ends and acts the moment the ValkeyCluster
// changes.
func Run(b *bed.Bed, name string) {
	b.T.Helper()
	(&Cluster{b: b, Name: name, Namespace: b.Namespace}).run()
}

// run does not share the Spec: the test reads it when it likes.
func (c *Cluster) run() {
	c.b.T.Helper()
	own := *c
	if _, already := running.LoadOrStore(c.Namespace+"/"+c.Name, true); already {
		return
	}
	ctx := c.b.T.Context()
	wake := make(chan struct{}, 1)
	var done sync.WaitGroup
	for _, resource := range []schema.GroupVersionResource{ValkeyClusters, bed.Pods} {
		done.Go(func() { own.watch(ctx, resource, wake) })
	}
	var last error
	done.Go(func() {
		for ctx.Err() == nil {
			if err := own.reconcile(ctx); ctx.Err() == nil {
				last = err
			}
			select {
			case <-ctx.Done():
			case <-wake:
			case <-time.After(idle):
			}
		}
	})
	c.b.T.Cleanup(func() {
		done.Wait()
		if c.b.T.Failed() && last != nil {
			c.b.T.Logf("the operator of %s: %v", c.Name, last)
		}
	})
}

// watch tells of each change at once.
func (c *Cluster) watch(ctx context.Context, resource schema.GroupVersionResource, wake chan<- struct{}) {
	for ctx.Err() == nil {
		events, err := c.b.Dynamic().Resource(resource).Namespace(c.Namespace).Watch(ctx, metav1.ListOptions{})
		if err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(idle):
			}
			continue
		}
		for range events.ResultChan() {
			select {
			case wake <- struct{}{}:
			default:
			}
		}
	}
}

// reconcile brings the cluster a step nearer to what the ValkeyCluster says.
func (c *Cluster) reconcile(ctx context.Context) error {
	err := c.readSpec(ctx)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.ensureObjects(ctx); err != nil {
		return err
	}
	if err := c.ensureWorkloads(ctx); err != nil {
		return err
	}
	members, err := c.members(ctx)
	if err != nil {
		return err
	}
	defer closeAll(members)
	if err := c.join(ctx, members); err != nil {
		return err
	}
	if err := c.roll(ctx, members); err != nil {
		return err
	}
	return c.scaleIn(ctx, members)
}
