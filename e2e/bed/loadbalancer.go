package bed

import (
	"context"
	"fmt"

	"github.com/vishvananda/netlink"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// The addresses of load balancers, which the client host reaches as it does the node.
// None is given twice, so that a Service made anew has another.
const (
	balancerNet   = "172.31.0."
	firstBalancer = 16
	balancers     = "172.31.0.16-172.31.0.254"
)

// StartLoadBalancer gives each Service of type LoadBalancer in the test's namespace an
// address of its own, until the test ends, as the controller of a load balancer does. The
// node answers for the address, and kube-proxy takes what comes for it.
func (b *Bed) StartLoadBalancer() {
	b.T.Helper()
	cable, err := netlink.LinkByName(clientCable)
	if err != nil {
		b.T.Fatalf("finding the client host's cable: %v", err)
	}
	given := map[string]*netlink.Addr{} // by the Service's UID
	add := func(object any) {
		s := object.(*corev1.Service)
		if s.Spec.Type != corev1.ServiceTypeLoadBalancer || s.DeletionTimestamp != nil || len(s.Status.LoadBalancer.Ingress) > 0 {
			return
		}
		address := given[string(s.UID)]
		if address == nil {
			address, err = netlink.ParseAddr(fmt.Sprintf("%s%d/32", balancerNet, b.nextBalancer()))
			if err == nil {
				err = netlink.AddrAdd(cable, address)
			}
			if err != nil {
				b.T.Errorf("giving Service %s an address: %v", s.Name, err)
				return
			}
			given[string(s.UID)] = address
		}
		s = s.DeepCopy()
		s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: address.IP.String()}}
		_, err := b.kube.CoreV1().Services(s.Namespace).UpdateStatus(b.T.Context(), s, metav1.UpdateOptions{})
		// After a conflict the Service comes once more; one that is gone is done with.
		if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) && b.T.Context().Err() == nil {
			b.T.Errorf("giving Service %s an address: %v", s.Name, err)
		}
	}
	remove := func(object any) {
		if last, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = last.Obj
		}
		uid := string(object.(*corev1.Service).UID)
		if address := given[uid]; address != nil {
			if err := netlink.AddrDel(cable, address); err != nil {
				b.T.Errorf("taking %v away: %v", address, err)
			}
			delete(given, uid)
		}
	}
	factory := informers.NewSharedInformerFactoryWithOptions(b.kube, 0, informers.WithNamespace(b.Namespace))
	// The handlers of one informer are called one after the other.
	_, err = factory.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, object any) { add(object) }, DeleteFunc: remove,
	})
	if err != nil {
		b.T.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.T.Context())
	factory.Start(ctx.Done())
	b.T.Cleanup(func() {
		stop()
		factory.Shutdown()
		for _, address := range given {
			if err := netlink.AddrDel(cable, address); err != nil {
				b.T.Errorf("taking %v away: %v", address, err)
			}
		}
	})
}

// nextBalancer is the last number of an address that no load balancer has had.
func (p *plane) nextBalancer() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.balancers++
	return firstBalancer + p.balancers - 1
}
