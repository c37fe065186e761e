package bed

import (
	"fmt"

	"github.com/vishvananda/netlink"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Balance plays a load balancer: it gives a Service of the test an address of its
// own, which the client host reaches and kube-proxy takes from there.
func (b *Bed) Balance(service string) (address string) {
	b.T.Helper()
	b.plane.mu.Lock()
	b.plane.balanced++
	address = fmt.Sprintf("172.31.0.%d", 127+b.plane.balanced)
	b.plane.mu.Unlock()
	link, err := netlink.LinkByName(clientCable)
	if err != nil {
		b.T.Fatal(err)
	}
	addr, err := netlink.ParseAddr(address + "/32")
	if err != nil {
		b.T.Fatal(err)
	}
	if err := netlink.AddrAdd(link, addr); err != nil { // so that it is answered for
		b.T.Fatal(err)
	}
	services := b.kube.CoreV1().Services(b.Namespace)
	s, err := services.Get(b.T.Context(), service, metav1.GetOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
	s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: address}}
	if _, err := services.UpdateStatus(b.T.Context(), s, metav1.UpdateOptions{}); err != nil {
		b.T.Fatal(err)
	}
	return address
}
