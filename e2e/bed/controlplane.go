package bed

import (
	"context"
	"crypto/tls"
	"net/http"
	"os"
	"path/filepath"
)

const etcdURL = "http://127.0.0.1:2379"

// startAPIServer starts etcd and kube-apiserver and waits until the API is
// ready. Everything but where things are is kube-apiserver's default, admission
// plugins among it; the beta of the admission policies is served as well.
func (p *plane) startAPIServer(ctx context.Context) error {
	_, err := startProcess("etcd", "etcd", "--data-dir", runDir+"/etcd", "--unsafe-no-fsync",
		"--listen-client-urls", etcdURL, "--advertise-client-urls", etcdURL, "--listen-peer-urls", "http://127.0.0.1:2380")
	if err != nil {
		return err
	}
	return p.runAPIServer(ctx)
}

// runAPIServer starts kube-apiserver alone.
func (p *plane) runAPIServer(ctx context.Context) (err error) {
	if err := os.WriteFile(auditPolicyFile, []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	p.api, err = startProcess("kube-apiserver", filepath.Join(parts.Kubernetes, "kube-apiserver"),
		"--etcd-servers="+etcdURL, "--cert-dir="+pkiDir, "--secure-port=6443", "--bind-address=0.0.0.0",
		"--advertise-address="+PodGateway, "--service-cluster-ip-range="+serviceCIDR,
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+accountPub,
		"--service-account-signing-key-file="+accountKey, "--authorization-mode=RBAC", "--token-auth-file="+tokenFile,
		"--audit-policy-file="+auditPolicyFile, "--audit-log-path="+auditLog,
		"--runtime-config=admissionregistration.k8s.io/v1beta1=true")
	if err != nil {
		return err
	}
	// The certificate does not exist until the server has made it.
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer client.CloseIdleConnections()
	return p.api.untilReady(ctx, client, apiURL)
}

// RestartAPIServer kills the API server and starts it again, as an upgrade of a
// control plane with one API server does. Tests that run at the same time would
// notice.
func (b *Bed) RestartAPIServer() {
	b.T.Helper()
	if err := b.api.kill(); err != nil {
		b.T.Fatal(err)
	}
	if err := b.runAPIServer(b.T.Context()); err != nil {
		b.T.Fatal(err)
	}
}

// startControllers starts the controller manager without what belongs to nodes
// that come and go: there is one node, and nothing renews its lease.
func startControllers() error {
	_, err := startProcess("kube-controller-manager", filepath.Join(parts.Kubernetes, "kube-controller-manager"),
		"--kubeconfig="+kubeconfigPath, "--service-account-private-key-file="+accountKey, "--root-ca-file="+apiserverCert,
		"--cert-dir="+runDir+"/controllers", "--leader-elect=false", "--kube-api-qps=200", "--kube-api-burst=400",
		"--controllers=*,-nodelifecycle,-node-ipam-controller,-cloud-node-lifecycle,-service-lb-controller,-node-route-controller,-taint-eviction-controller")
	return err
}

// startProxy needs the Node to be registered. The conntrack limits are the whole
// machine's, so they are left alone.
func startProxy() error {
	_, err := startProcess("kube-proxy", filepath.Join(parts.Kubernetes, "kube-proxy"),
		"--kubeconfig="+kubeconfigPath, "--proxy-mode=nftables", "--hostname-override="+nodeName, "--cluster-cidr="+podCIDR,
		"--nodeport-addresses="+NodeIP+"/32", "--conntrack-max-per-core=0",
		"--conntrack-tcp-timeout-established=0", "--conntrack-tcp-timeout-close-wait=0")
	return err
}
