package podrunner

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/vishvananda/netlink"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// retryPeriod is how soon a pod that could not start is tried again, and the
// shortest wait before a container restarts.
const retryPeriod = time.Second

// pod is one pod on this node from its binding to its removal.
type pod struct {
	runner *Runner
	spec   *corev1.Pod // as it was first seen: what runs never changes
	dir    string
	cable  string
	ip     string
	netns  *NetNS

	stopping chan struct{} // closed when the pod is to stop
	once     sync.Once
	grace    time.Duration

	mu         sync.Mutex
	containers []*container
	conditions map[corev1.PodConditionType]corev1.PodCondition
	tokens     map[string]string
	started    metav1.Time
	message    string        // why it does not start
	changed    chan struct{} // a status is to be reported
}

func newPod(r *Runner, spec *corev1.Pod, number int) *pod {
	p := &pod{
		runner:   r,
		spec:     spec,
		dir:      filepath.Join(r.Dir, string(spec.UID)),
		cable:    fmt.Sprintf("pod%d", number),
		ip:       fmt.Sprintf("10.244.%d.%d", 1+number/250, 1+number%250),
		stopping: make(chan struct{}),
		tokens:   map[string]string{},
		started:  metav1.Now(),
		changed:  make(chan struct{}, 1),
	}
	for i := range spec.Spec.Containers {
		p.containers = append(p.containers, &container{pod: p, spec: &spec.Spec.Containers[i]})
	}
	return p
}

// requestStop begins the pod's end; the first call counts.
func (p *pod) requestStop(grace *int64) {
	p.once.Do(func() {
		p.grace = 30 * time.Second
		if grace != nil {
			p.grace = time.Duration(*grace) * time.Second
		}
		close(p.stopping)
	})
}

// run is the pod's life.
func (p *pod) run(ctx context.Context) {
	if err := p.bind(ctx); err != nil {
		if !apierrors.IsNotFound(err) {
			p.runner.Log("pod %s/%s: binding: %v", p.spec.Namespace, p.spec.Name, err)
		}
		return
	}
	reporting, stopReporting := context.WithCancel(ctx)
	var reporter sync.WaitGroup
	reporter.Go(func() { p.report(reporting) })
	if p.prepare(ctx) {
		refreshing, stopRefreshing := context.WithCancel(ctx)
		go p.refresh(refreshing)
		var running sync.WaitGroup
		for _, c := range p.containers {
			running.Go(func() { c.supervise(ctx) })
		}
		running.Wait()
		stopRefreshing()
	}
	p.touch()
	<-p.stopping
	stopReporting()
	reporter.Wait()
	p.remove(ctx)
}

// prepare makes the network and the volumes, trying again while something the
// pod names is missing. False: the pod is to stop before it has started.
func (p *pod) prepare(ctx context.Context) bool {
	for {
		err := p.network()
		if err == nil {
			err = p.volumes(ctx)
		}
		if err == nil {
			p.fail("")
			return true
		}
		p.fail(err.Error())
		select {
		case <-p.stopping:
			return false
		case <-ctx.Done():
			return false
		case <-time.After(retryPeriod):
		}
	}
}

// network gives the pod its namespace, its address and the node's route to it.
func (p *pod) network() error {
	if p.netns != nil {
		return nil
	}
	n, err := NewNetNS()
	if err != nil {
		return err
	}
	if err := n.Connect(p.cable, "", p.ip+"/32", p.runner.Gateway); err != nil {
		n.Close()
		return fmt.Errorf("connecting the pod: %w", err)
	}
	link, err := netlink.LinkByName(p.cable)
	if err != nil {
		n.Close()
		return err
	}
	host := &net.IPNet{IP: net.ParseIP(p.ip), Mask: net.CIDRMask(32, 32)}
	if err := netlink.RouteAdd(&netlink.Route{LinkIndex: link.Attrs().Index, Dst: host, Scope: netlink.SCOPE_LINK}); err != nil {
		n.Close()
		return fmt.Errorf("routing to the pod: %w", err)
	}
	p.mu.Lock()
	p.netns = n
	p.mu.Unlock()
	return nil
}

// refresh brings changed ConfigMaps and Secrets into the volumes, late.
func (p *pod) refresh(ctx context.Context) {
	tick := time.NewTicker(p.runner.volumeRefresh(p.spec.Namespace))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := p.volumes(ctx); err != nil && ctx.Err() == nil {
				p.runner.Log("pod %s/%s: refreshing: %v", p.spec.Namespace, p.spec.Name, err)
			}
		}
	}
}

// remove takes the pod off the node and then out of the API.
func (p *pod) remove(ctx context.Context) {
	if p.netns != nil {
		if link, err := netlink.LinkByName(p.cable); err == nil {
			_ = netlink.LinkDel(link)
		}
		p.netns.Close()
	}
	if err := os.RemoveAll(p.dir); err != nil {
		p.runner.Log("pod %s/%s: removing its files: %v", p.spec.Namespace, p.spec.Name, err)
	}
	now := int64(0)
	err := p.runner.Client.CoreV1().Pods(p.spec.Namespace).Delete(ctx, p.spec.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &now, Preconditions: metav1.NewUIDPreconditions(string(p.spec.UID)),
	})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) && ctx.Err() == nil {
		p.runner.Log("pod %s/%s: deleting: %v", p.spec.Namespace, p.spec.Name, err)
	}
}

// fail records why the pod does not start; empty means that it does.
func (p *pod) fail(message string) {
	p.mu.Lock()
	p.message = message
	p.mu.Unlock()
	p.touch()
}

// touch asks for a report; several before the next one count once.
func (p *pod) touch() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}
