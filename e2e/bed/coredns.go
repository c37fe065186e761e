package bed

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
)

// clusterDNS is the address of Service kube-dns.
const clusterDNS = "10.96.0.10"

const corednsImage = "coredns.example.com/coredns:built"

// StartCoreDNS runs CoreDNS as the cluster's DNS until the test ends, with the
// objects and the Corefile that k3s has: the ConfigMap coredns-custom is imported. In
// place of the public DNS it asks a server of its own, which has one zone.
// Containers that start from now on ask it.
func (b *Bed) StartCoreDNS(zone, records string) {
	b.T.Helper()
	b.runner.AddImage(corednsImage, podrunner.Image{
		Entrypoint: []string{"/coredns"},
		Mounts:     []podrunner.Mount{{From: parts.CoreDNS, To: "/coredns"}},
	})
	b.runner.SetVolumeRefresh(kubeSystem, time.Second)
	authority := fmt.Sprintf("@ 300 IN SOA ns.%s. admin.%s. 1 3600 600 86400 30\n@ 300 IN NS ns.%s.\n", zone, zone, zone)
	namespaced := strings.NewReplacer("ZONE", zone, "RECORDS", strings.ReplaceAll(authority+records, "\n", "\n    "), "IMAGE", corednsImage, "ADDRESS", clusterDNS).Replace(corednsNamespaced)
	b.Apply(corednsRights)
	b.Apply(namespaced)
	b.T.Cleanup(func() {
		b.runner.SetClusterDNS("")
		if err := b.podGone(kubeSystem, "coredns"); err != nil {
			b.T.Error(err)
		}
	})
	b.DeleteAtEnd(namespaced)
	WaitFor(b, Pods, kubeSystem, "coredns", "to be Ready", IsReady)
	b.runner.SetClusterDNS(clusterDNS)
	b.Eventually("the cluster's DNS to answer", func() error {
		_, err := b.lookup(b.T.Context(), "kubernetes.default.svc.cluster.local")
		return err
	})
}

const kubeSystem = "kube-system"

// podGone waits when the test has ended, and with it what a watch would need.
func (b *Bed) podGone(namespace, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		_, err := b.kube.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}

// lookup asks the cluster's DNS for an IPv4 address of a name.
func (b *Bed) lookup(ctx context.Context, name string) (string, error) {
	r := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(clusterDNS, "53"))
	}}
	addresses, err := r.LookupNetIP(ctx, "ip4", name+".")
	if err != nil {
		return "", err
	}
	return addresses[0].String(), nil
}

const corednsRights = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: system:coredns}
rules:
- {apiGroups: [""], resources: [endpoints, services, pods, namespaces], verbs: [list, watch]}
- {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [list, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: system:coredns}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:coredns}
subjects: [{kind: ServiceAccount, name: coredns, namespace: kube-system}]
`

const corednsNamespaced = `apiVersion: v1
kind: ServiceAccount
metadata: {name: coredns, namespace: kube-system}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: coredns, namespace: kube-system}
data:
  Corefile: |
    .:53 {
      errors
      ready
      kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
      }
      cache 30
      loop
      reload 2s 1s
      loadbalance
      import /etc/coredns/custom/*.override
      forward . 127.0.0.1:5300
    }
    .:5300 {
      errors
      file /etc/coredns/public.zone ZONE
    }
    import /etc/coredns/custom/*.server
  public.zone: |
    RECORDS
---
apiVersion: v1
kind: Pod
metadata: {name: coredns, namespace: kube-system, labels: {k8s-app: kube-dns}}
spec:
  serviceAccountName: coredns
  dnsPolicy: Default
  containers:
  - name: coredns
    image: IMAGE
    args: [-conf, /etc/coredns/Corefile]
    ports: [{name: dns, containerPort: 53, protocol: UDP}, {name: dns-tcp, containerPort: 53, protocol: TCP}]
    readinessProbe: {tcpSocket: {port: 8181}}
    volumeMounts:
    - {name: config, mountPath: /etc/coredns, readOnly: true}
    - {name: custom, mountPath: /etc/coredns/custom, readOnly: true}
  volumes:
  - {name: config, configMap: {name: coredns}}
  - {name: custom, configMap: {name: coredns-custom, optional: true}}
---
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system}
spec:
  clusterIP: ADDRESS
  selector: {k8s-app: kube-dns}
  ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
`
