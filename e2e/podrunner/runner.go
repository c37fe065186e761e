// Package podrunner is the bed's kubelet and scheduler: it binds every pending
// pod to one node, gives the pod a network namespace, mounts its volumes, runs
// its containers as processes and reports their status.
//
// It decides on your behalf: an image is a name for programs of this machine; a
// container sees a root of its own that holds the machine's /usr and its volumes;
// init containers, lifecycle hooks and resource limits are not there, and probes
// other than a TCP connect count as passed.
package podrunner

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// An Image stands for a container image.
type Image struct {
	Entrypoint []string // used when a container has no command
	UID        int      // the image's own user
	Mounts     []Mount  // files of the image
}

// A Runner runs the pods of one node. The exported fields are set before Run.
type Runner struct {
	Client           kubernetes.Interface
	NodeName, NodeIP string
	Gateway          string // every pod's default route
	Dir              string // where pods live
	LogDir           string // one file per container
	HostDirs         []string
	Path             string // PATH in containers
	Log              func(format string, args ...any)

	mu      sync.Mutex
	pods    map[types.UID]*pod
	next    int
	images  map[string]Image
	refresh map[string]time.Duration
	dns     string
}

// DefaultVolumeRefresh is how long a running pod keeps the old content of a
// changed ConfigMap or Secret: about what a kubelet's sync period makes of it.
const DefaultVolumeRefresh = 60 * time.Second

// Run registers the node and runs pods until ctx ends. It returns once it
// watches.
func (r *Runner) Run(ctx context.Context) error {
	r.pods = map[types.UID]*pod{}
	if err := r.registerNode(ctx); err != nil {
		return fmt.Errorf("registering the node: %w", err)
	}
	factory := informers.NewSharedInformerFactory(r.Client, 0)
	informer := factory.Core().V1().Pods().Informer()
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { r.see(ctx, o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { r.see(ctx, o.(*corev1.Pod)) },
		DeleteFunc: func(o any) {
			if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = gone.Obj
			}
			r.stop(o.(*corev1.Pod))
		},
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("watching pods: %w", ctx.Err())
	}
	return nil
}

// see starts a pod that is new, and stops one that is being deleted.
func (r *Runner) see(ctx context.Context, spec *corev1.Pod) {
	if spec.DeletionTimestamp != nil {
		r.stop(spec)
		return
	}
	if spec.Status.Phase != corev1.PodPending && spec.Status.Phase != "" {
		return
	}
	if spec.Spec.NodeName != "" && spec.Spec.NodeName != r.NodeName {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pods[spec.UID] != nil {
		return
	}
	r.next++
	p := newPod(r, spec.DeepCopy(), r.next)
	r.pods[spec.UID] = p
	go func() {
		p.run(ctx)
		r.mu.Lock()
		delete(r.pods, spec.UID)
		r.mu.Unlock()
	}()
}

func (r *Runner) stop(spec *corev1.Pod) {
	r.mu.Lock()
	p := r.pods[spec.UID]
	r.mu.Unlock()
	if p != nil {
		p.requestStop(spec.DeletionGracePeriodSeconds)
	}
}

// AddImage says what an image name stands for.
func (r *Runner) AddImage(name string, image Image) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.images == nil {
		r.images = map[string]Image{}
	}
	r.images[name] = image
}

func (r *Runner) image(name string) Image {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.images[name]
}

// SetVolumeRefresh changes the period for the pods of a namespace that start
// from now on.
func (r *Runner) SetVolumeRefresh(namespace string, period time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refresh == nil {
		r.refresh = map[string]time.Duration{}
	}
	r.refresh[namespace] = period
}

func (r *Runner) volumeRefresh(namespace string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if period, ok := r.refresh[namespace]; ok {
		return period
	}
	return DefaultVolumeRefresh
}

// SetClusterDNS has the containers that start from now on ask a name server, as a
// kubelet's flag --cluster-dns does. Before, they know only what is in their hosts file.
func (r *Runner) SetClusterDNS(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dns = address
}

// resolver is a pod's resolv.conf, "" while there is no name server.
func (r *Runner) resolver(namespace string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dns == "" {
		return ""
	}
	return fmt.Sprintf("search %s.svc.cluster.local svc.cluster.local cluster.local\nnameserver %s\noptions ndots:5\n", namespace, r.dns)
}

// Signal sends a signal to the process of a running container, as the node's
// administrator could.
func (r *Runner) Signal(namespace, name, container string, signal syscall.Signal) error {
	p, err := r.find(namespace, name)
	if err != nil {
		return err
	}
	return p.signal(container, signal)
}

func (r *Runner) find(namespace, name string) (*pod, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pods {
		if p.spec.Namespace == namespace && p.spec.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no pod %s/%s runs here", namespace, name)
}

// LogFile is where a container's output goes.
func (r *Runner) LogFile(namespace, pod, container string) string {
	return filepath.Join(r.LogDir, fmt.Sprintf("%s_%s_%s.log", namespace, pod, container))
}
