package bed

import (
	"fmt"
)

// StartTraefik runs Traefik on the node as the controller of GatewayClasses
// with this name, with one entry point for each listener port. It ends with the
// test.
func (b *Bed) StartTraefik(ports ...int) {
	b.T.Helper()
	args := []string{
		"--providers.kubernetesgateway=true",
		// Traefik reads TCPRoutes as v1alpha2, which is of that channel.
		"--providers.kubernetesgateway.experimentalchannel=true",
		"--providers.kubernetesgateway.endpoint=" + apiURL,
		"--providers.kubernetesgateway.token=" + adminToken,
		"--providers.kubernetesgateway.certauthfilepath=" + apiserverCert,
		"--providers.kubernetesgateway.statusaddress.ip=" + NodeIP,
		"--log.level=INFO",
	}
	for _, port := range ports {
		args = append(args, fmt.Sprintf("--entrypoints.port-%d.address=%s:%d", port, NodeIP, port))
	}
	p, err := startProcess("traefik", parts.Traefik, args...)
	if err != nil {
		b.T.Fatal(err)
	}
	b.T.Cleanup(func() {
		if err := p.kill(); err != nil {
			b.T.Errorf("ending Traefik: %v", err)
		}
	})
}
