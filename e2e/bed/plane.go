package bed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/valkey-expose/valkey-expose/e2e/podrunner"
)

const logDir = runDir + "/logs"

// plane is what all tests of a package share: one control plane, one node, one
// client host. It starts with the first test that asks and ends with the run.
type plane struct {
	config  *rest.Config
	kube    kubernetes.Interface
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
	runner  *podrunner.Runner
	outside *clientHost
	api     *process

	mu       sync.Mutex
	tests    int
	balanced int // addresses that load balancers have
}

var startPlane = sync.OnceValues(func() (*plane, error) {
	ctx := context.Background()
	if err := os.MkdirAll(logDir, 0o755); err != nil {
		return nil, err
	}
	clientNS, err := network(ctx)
	if err != nil {
		return nil, err
	}
	if err := writeKeys(); err != nil {
		return nil, err
	}
	p := &plane{outside: &clientHost{netns: clientNS, hosts: map[string]string{}}}
	if err := p.startAPIServer(ctx); err != nil {
		return nil, err
	}
	if err := p.connect(); err != nil {
		return nil, err
	}
	if err := startControllers(); err != nil {
		return nil, err
	}
	p.runner = &podrunner.Runner{
		Client: p.kube, NodeName: nodeName, NodeIP: NodeIP, Gateway: PodGateway,
		Dir: filepath.Join(runDir, "pods"), LogDir: logDir, HostDirs: parts.HostDirs,
		Path: parts.Bin + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", Log: logTo("podrunner"),
	}
	if err := p.runner.Run(ctx); err != nil {
		return nil, err
	}
	return p, startProxy()
})

// connect makes the clients. They are not slowed down: the bed is their server's
// only user.
func (p *plane) connect() (err error) {
	if p.config, err = clientcmd.BuildConfigFromFlags("", kubeconfigPath); err != nil {
		return err
	}
	p.config.QPS = -1
	p.config.WarningHandler = rest.NoWarnings{}
	if p.kube, err = kubernetes.NewForConfig(p.config); err != nil {
		return err
	}
	if p.dynamic, err = dynamic.NewForConfig(p.config); err != nil {
		return err
	}
	d, err := discovery.NewDiscoveryClientForConfig(p.config)
	if err != nil {
		return err
	}
	p.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(d))
	return nil
}

// number tells tests apart.
func (p *plane) number() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tests++
	return p.tests
}

// logTo returns a function that writes lines to a component's log file.
func logTo(name string) func(format string, args ...any) {
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		f, err := os.OpenFile(filepath.Join(logDir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return
		}
		defer f.Close()
		fmt.Fprintf(f, format+"\n", args...)
	}
}
