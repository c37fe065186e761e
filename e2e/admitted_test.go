package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os/exec"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// TestRandomAcceptedInputsAreAdmitted renders clusters and flags whose values are
// at the edges of what is allowed, and just beside: of all that the program takes,
// the API server admits every object, the ValkeyCluster by the operator's own CRD.
func TestRandomAcceptedInputsAreAdmitted(t *testing.T) {
	b := start(t)
	installGatewayAPI(b, "standard")
	operator.InstallCRD(b, false)
	const want = 300
	admitted, refused, kinds := 0, 0, map[string]int{}
	for seed := uint64(0); admitted < want && seed < 10*want; seed++ {
		r := edges{rand.New(rand.NewPCG(seed, 2))}
		cluster, flags := r.cluster(t, b.Namespace), r.flags()
		render := exec.CommandContext(t.Context(), product.Program(t, "valkey-expose"), append([]string{"render", "-f", "-"}, flags...)...)
		render.Stdin = strings.NewReader(cluster)
		output, err := render.Output()
		var exited *exec.ExitError
		if errors.As(err, &exited) && (exited.ExitCode() == 1 || exited.ExitCode() == 2) {
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		objects, err := bed.Decode(string(output))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, output)
		}
		for _, o := range objects {
			if err := b.DryRun(o.Object); err != nil {
				t.Errorf("seed %d: %s %s: %.2000v\n%.4000s\n%q", seed, o.GetKind(), o.GetName(), err, cluster, flags)
			}
			kinds[o.GetKind()]++
		}
		admitted++
	}
	t.Logf("%d accepted and %d refused inputs: %v", admitted, refused, kinds)
	if admitted < want || refused < want/10 {
		t.Errorf("%d accepted, %d refused: one-sided", admitted, refused)
	}
	for _, kind := range []string{"Service", "TCPRoute", "CronJob", "ValkeyCluster", "MutatingAdmissionPolicy"} {
		if kinds[kind] < want/10 {
			t.Errorf("%d of kind %s", kinds[kind], kind)
		}
	}
}

// edges draws values that are mostly allowed.
type edges struct{ *rand.Rand }

func (r edges) one(of ...string) string { return of[r.IntN(len(of))] }

// often is true n times of 10.
func (r edges) often(n int) bool { return r.IntN(10) < n }

// text is of n characters out of some.
func (r edges) text(n int, of string) string {
	runes := []rune(of)
	var b strings.Builder
	for range n {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

const (
	lower   = "abcxyz0189"
	inside  = lower + "-"
	mixed   = "abcXYZ0189"
	between = mixed + "-_."
)

// label is a DNS label of 1 to limit characters, seldom of one more.
func (r edges) label(limit int) string {
	n := 1 + r.IntN(limit)
	if r.often(2) {
		n = limit
	}
	if r.IntN(60) == 0 {
		n = limit + 1
	}
	if n < 3 {
		return r.text(n, lower)
	}
	return r.text(1, lower) + r.text(n-2, inside) + r.text(1, lower)
}

// subdomain is a DNS name of about so many characters.
func (r edges) subdomain(limit int) string {
	name := r.label(min(63, limit))
	for len(name) < limit-1 && r.often(7) {
		name += "." + r.label(min(63, limit-1-len(name)))
	}
	return name
}

// qualified is a key as labels and annotations have it.
func (r edges) qualified() string {
	n := 1 + r.IntN(63)
	name := r.text(n, mixed)
	if n > 2 {
		name = r.text(1, mixed) + r.text(n-2, between) + r.text(1, mixed)
	}
	switch r.IntN(24) {
	case 0, 1, 2:
		return name
	case 3:
		return r.one("creationTimestamp", "status", "null", "~", "0", "yes", "1e3", name+"-", name+"/", "a/b/"+name, strings.ToUpper(name), name+name)
	case 4:
		return strings.Repeat("a", 252+r.IntN(4)) + "/" + name
	case 5:
		return r.one(
			"service.beta.kubernetes.io/load-balancer-source-ranges", "service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints",
			"external-dns.kubernetes.io/hostname", "argocd.argoproj.io/sync-wave", "kubectl.kubernetes.io/last-applied-configuration",
			"valkey.io/cluster", "app.kubernetes.io/managed-by", "app.kubernetes.io/version", "service.alpha.kubernetes.io/tolerate-unready-endpoints",
		)
	}
	return r.subdomain(253) + "/" + name
}

func (r edges) annotation() string {
	switch r.IntN(10) {
	case 0:
		return r.one("{hostname}", "{hostname}.,first.example.com", "{shard}", "{cluster}.{namespace}", "{{}}", "{", "${x}", "Auto", "10.0.0.0/8", "yes", "null", "0x1", "2001-01-01", "~", "")
	case 1:
		return r.text(r.IntN(40), "aé漢😀\"'\\:#&*!|>%@`,[]\t\n\r\u0085\u00a0\u2028\u2029\ufeff ")
	case 2:
		return strings.Repeat(r.one("x", "漢", "{shard}"), r.IntN(4000))
	}
	return r.text(r.IntN(200), between+" :/,")
}

// ipRange is one with or without bits beyond its prefix.
func (r edges) ipRange() string {
	var address netip.Addr
	switch r.IntN(16) {
	case 0:
		return r.one("0.0.0.0/0", "::/0", "::ffff:10.0.0.0/104", "010.0.0.0/8", "10.0.0.0/08", " 10.0.0.0/8", "10.0.0.0", "2001:DB8::/32", "0:0:0::/48", "10.0.0.0/33")
	case 1, 2:
		var bytes [16]byte
		for i := range bytes {
			bytes[i] = byte(r.IntN(256))
		}
		address = netip.AddrFrom16(bytes)
	default:
		address = netip.AddrFrom4([4]byte{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))})
	}
	prefix := netip.PrefixFrom(address, r.IntN(address.BitLen()+1))
	if r.IntN(24) > 0 {
		prefix = prefix.Masked()
	}
	return prefix.String()
}

// cluster is JSON, which YAML 1.1 and 1.2 read alike.
func (r edges) cluster(t *testing.T, namespace string) string {
	t.Helper()
	shards := 1 + r.IntN(4)
	access := map[string]any{"enabled": true}
	put := func(name string, chance int, value any) {
		if r.often(chance) {
			access[name] = value
		}
	}
	put("domain", 8, r.subdomain(60+r.IntN(200)))
	if access["domain"] != nil {
		put("preferredEndpointType", 8, "hostname")
	}
	put("hostnamePrefix", 2, r.label(61))
	put("servedShards", 2, shards-1+r.IntN(8))
	put("splitHorizon", 5, true)
	put("ipFamilyPolicy", 2, r.one("SingleStack", "PreferDualStack"))
	annotations, labels, ranges := map[string]string{}, map[string]string{}, []string{}
	for range r.IntN(4) {
		annotations[r.qualified()] = r.annotation()
	}
	for range r.IntN(3) {
		labels[strings.ToLower(r.qualified())] = r.one("", r.text(1+r.IntN(63), mixed), r.text(1, mixed)+r.text(r.IntN(62), between)+"a", "true", "1e3", "~", "null")
	}
	for range r.IntN(4) {
		ranges = append(ranges, r.ipRange())
	}
	put("serviceScope", 3, r.one("shard", "node"))
	put("portBase", 3, 1+r.IntN(65535))
	put("serviceAnnotations", 7, annotations)
	put("serviceLabels", 6, labels)
	if r.often(5) {
		access["serviceType"] = "LoadBalancer"
		put("loadBalancerSourceRanges", 6, ranges)
		put("loadBalancerClass", 4, strings.ToLower(r.qualified()))
		put("allocateLoadBalancerNodePorts", 3, r.often(5))
	} else {
		put("serviceType", 5, r.one("NodePort", "ClusterIP"))
	}
	put("externalTrafficPolicy", 1, r.one("Cluster", "Local"))
	if r.often(3) {
		ref := map[string]any{"name": r.subdomain(253)}
		if r.often(3) {
			ref["namespace"] = r.label(63)
		}
		if shards == 1 && r.often(5) {
			ref["sectionName"] = r.subdomain(253)
		}
		access["gateway"] = map[string]any{"gatewayRef": ref, "basePort": 1 + r.IntN(65535)}
	}
	spec := map[string]any{"shards": shards, "replicas": r.IntN(3), "externalAccess": access}
	if r.often(3) {
		spec["workloadType"] = r.one("StatefulSet", "Deployment")
	}
	if r.often(3) {
		spec["tls"] = map[string]any{"certificate": map[string]any{"secretName": r.subdomain(253)}}
		spec["config"] = map[string]any{"tls-auth-clients": r.one("yes", "optional")}
		if r.often(9) {
			spec["networking"] = map[string]any{"tls": spec["tls"]}
			delete(spec, "tls")
		}
	}
	metadata := map[string]any{"name": r.label(41), "namespace": namespace}
	if r.often(2) {
		metadata["annotations"] = map[string]string{"argocd.argoproj.io/sync-wave": fmt.Sprint(r.IntN(20) - 10)}
	}
	cluster, err := json.Marshal(map[string]any{"apiVersion": "valkey.io/v1alpha1", "kind": "ValkeyCluster", "metadata": metadata, "spec": spec})
	if err != nil {
		t.Fatal(err)
	}
	return string(cluster)
}

func (r edges) flags() []string {
	flags := []string{"--readback-image", r.one("i", "i", "i", "registry.example.com:5000/a/b:v1", "a@sha256:"+strings.Repeat("0", 64), "a "), "--inject", r.one("admission", "none")}
	switch {
	case r.often(1):
		flags = append(flags, "--readback", "none")
	case r.often(4):
		flags = append(flags, "--readback", "cronjob", "--readback-schedule", r.one(
			"*/10 * * * *", "@hourly", "@every 1h", "0 0 1 1 0", "59 23 31 12 6", "0 0 * jan-mar ?", " 1 2  3 4 5 ",
			"@every 1zz", "99 * * * *", "TZ=UTC 0 0 * * *", "0 0 0 * *", "@reboot"))
	}
	if r.often(3) {
		flags = append(flags, "--readback-pull-secret", r.subdomain(253))
	}
	if r.often(3) {
		flags = append(flags, "--gitops", r.one("none", "argocd", "flux"))
	}
	return flags
}
