package readback

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/valkey-expose/valkey-expose/schema"
)

// planOf is a plan of shards of 2 nodes.
func planOf(serviceType string, shards int) *schema.Plan {
	plan := &schema.Plan{Version: schema.PlanVersion, Cluster: "c", Namespace: "ns", PreferredEndpointType: schema.PreferHostname, ServiceType: serviceType}
	for shard := range shards {
		for index := range 2 {
			n := schema.Node{
				Shard: shard, Index: index, Name: fmt.Sprintf("c-%d-%d", shard, index), Hostname: fmt.Sprintf("shard-%d.example.com", shard),
				Service: fmt.Sprintf("valkey-c-shard-%d", shard), ServicePort: 6379 + index, PortName: fmt.Sprintf("vk-n%d", index),
			}
			if serviceType != schema.NodePort {
				n.Port = n.ServicePort
			}
			plan.Nodes = append(plan.Nodes, n)
		}
	}
	return plan
}

// serviceOf has its ports in the wrong order: they are found by name.
func serviceOf(shard int, nodePorts ...int32) *corev1.Service {
	s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("valkey-c-shard-%d", shard)}}
	for index, port := range slices.Backward(nodePorts) {
		s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{Name: fmt.Sprintf("vk-n%d", index), NodePort: port})
	}
	return s
}

func balanced(shard int, ingress ...corev1.LoadBalancerIngress) *corev1.Service {
	s := serviceOf(shard, 1, 2)
	s.Status.LoadBalancer.Ingress = ingress
	return s
}

func TestServicesOfAPlan(t *testing.T) {
	gateway := planOf(schema.ClusterIP, 1)
	gateway.Nodes[0].Port, gateway.Nodes[1].Port = 30000, 30001
	beside := planOf(schema.NodePort, 1)
	beside.Nodes[0].Port, beside.Nodes[1].Port = 30000, 30001
	for name, c := range map[string]struct {
		plan     *schema.Plan
		services []*corev1.Service
		dial     []int
		reasons  []string
	}{
		"ready": {planOf(schema.NodePort, 2), []*corev1.Service{serviceOf(1, 31002, 31003), serviceOf(0, 31000, 31001)},
			[]int{31000, 31001, 31002, 31003}, nil},
		"port 0": {planOf(schema.NodePort, 1), []*corev1.Service{serviceOf(0, 31000, 0)},
			[]int{31000, 0}, []string{"service valkey-c-shard-0: port vk-n1 has no nodePort yet"}},
		"port missing": {planOf(schema.NodePort, 1), []*corev1.Service{serviceOf(0, 31000)},
			[]int{31000, 0}, []string{"service valkey-c-shard-0: port vk-n1 has no nodePort yet"}},
		"service missing is said once": {planOf(schema.NodePort, 2), []*corev1.Service{serviceOf(0, 31000, 31001)},
			[]int{31000, 31001, 0, 0}, []string{"service valkey-c-shard-1 does not exist"}},
		"load balancer pending": {planOf(schema.LoadBalancer, 2), []*corev1.Service{balanced(0, corev1.LoadBalancerIngress{IP: "192.0.2.1"}), balanced(1)},
			[]int{6379, 6380, 6379, 6380}, []string{"service valkey-c-shard-1 has no load balancer address yet"}},
		"load balancer with a name": {planOf(schema.LoadBalancer, 1), []*corev1.Service{balanced(0, corev1.LoadBalancerIngress{}, corev1.LoadBalancerIngress{Hostname: "lb.example.com"})},
			[]int{6379, 6380}, nil},
		"gateway":                 {gateway, []*corev1.Service{serviceOf(0, 0, 0)}, []int{30000, 30001}, nil},
		"nodePort beside gateway": {beside, []*corev1.Service{serviceOf(0, 31000, 31001)}, []int{30000, 30001}, nil},
		"pending beside gateway": {beside, []*corev1.Service{serviceOf(0, 31000, 0)}, []int{30000, 30001},
			[]string{"service valkey-c-shard-0: port vk-n1 has no nodePort yet"}},
	} {
		t.Run(name, func(t *testing.T) {
			targets, reasons := withServices(c.plan, c.plan.Nodes, c.services)
			var dial []int
			for _, target := range targets {
				dial = append(dial, target.Dial)
			}
			if !slices.Equal(dial, c.dial) || !slices.Equal(reasons, c.reasons) {
				t.Errorf("%v, %q; want %v, %q", dial, reasons, c.dial, c.reasons)
			}
		})
	}
}

func podOf(shard, index int, change func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("valkey-c-%d-%d-0", shard, index), Labels: map[string]string{
			schema.ShardLabel: fmt.Sprint(shard), schema.NodeLabel: fmt.Sprint(index),
		}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "metrics-exporter"}, {Name: "server", Ports: []corev1.ContainerPort{{Name: "client"}, {Name: fmt.Sprintf("vk-n%d", index)}}},
		}},
		Status: corev1.PodStatus{PodIP: fmt.Sprintf("10.0.%d.%d", shard, index), Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	if change != nil {
		change(p)
	}
	return p
}

func TestPodsOfAPlan(t *testing.T) {
	noPort := func(p *corev1.Pod) { p.Spec.Containers[1].Ports = p.Spec.Containers[1].Ports[:1] }
	notReady := func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }
	going := func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }
	second := func(p *corev1.Pod) { p.Name += "-new" }
	marked := func(p *corev1.Pod) { p.Spec.Containers[1].Env = []corev1.EnvVar{{Name: schema.Marker}} }
	both := func(a, b func(*corev1.Pod)) func(*corev1.Pod) { return func(p *corev1.Pod) { a(p); b(p) } }
	for name, c := range map[string]struct {
		pods              []*corev1.Pod
		reasons, outdated []string
	}{
		"ready":              {[]*corev1.Pod{podOf(0, 1, nil), podOf(0, 0, nil)}, nil, nil},
		"the old one goes":   {[]*corev1.Pod{podOf(0, 0, going), podOf(0, 0, second), podOf(0, 1, nil)}, nil, nil},
		"missing":            {[]*corev1.Pod{podOf(0, 0, nil)}, []string{"node c-0-1 has no pod yet"}, nil},
		"only one that goes": {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, going)}, []string{"node c-0-1 has no pod yet"}, nil},
		"two":                {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 0, second), podOf(0, 1, nil)}, []string{"node c-0-0 has 2 pods: one is being replaced"}, nil},
		"not ready":          {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, notReady)}, []string{"pod valkey-c-0-1-0 is not Ready"}, nil},
		"no address": {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, func(p *corev1.Pod) { p.Status.PodIP = "" })},
			[]string{"pod valkey-c-0-1-0 is not Ready"}, nil},
		"before the roll": {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, noPort)},
			[]string{"pod valkey-c-0-1-0 has no port vk-n1: it has not been rolled yet"}, nil},
		"before the policy": {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, both(noPort, marked))}, nil, []string{"valkey-c-0-1-0"}},
		"before the policy, and not ready": {[]*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, both(noPort, both(marked, notReady)))},
			[]string{"pod valkey-c-0-1-0 is not Ready"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			targets, _ := withServices(planOf(schema.ClusterIP, 1), planOf(schema.ClusterIP, 1).Nodes, []*corev1.Service{serviceOf(0)})
			targets, reasons, outdated := withPods(targets, c.pods, true)
			if !slices.Equal(reasons, c.reasons) || !slices.Equal(outdated, c.outdated) {
				t.Errorf("%q, %q; want %q, %q", reasons, outdated, c.reasons, c.outdated)
			}
			if len(reasons) == 0 && targets[0].PodIP != "10.0.0.0" {
				t.Errorf("node 0-0 is at %q", targets[0].PodIP)
			}
		})
	}
}

// A shard that the cluster gives up is recorded while it has a pod, its pods are
// announced as long as they are Ready, and nothing of it is waited for.
func TestDrainingShardIsNotWaitedFor(t *testing.T) {
	plan := planOf(schema.ClusterIP, 2)
	plan.Nodes[2].Draining, plan.Nodes[3].Draining = true, true
	first := []*corev1.Pod{podOf(0, 0, nil), podOf(0, 1, nil)}
	services := []*corev1.Service{serviceOf(0), serviceOf(1)}
	for name, c := range map[string]struct {
		pods              []*corev1.Pod
		services          []*corev1.Service
		recorded, running int
	}{
		"whole":           {append(first, podOf(1, 0, nil), podOf(1, 1, nil)), services, 4, 4},
		"half":            {append(first, podOf(1, 1, nil)), services, 4, 3},
		"gone":            {first, services, 2, 2},
		"not ready":       {append(first, podOf(1, 0, nil), podOf(1, 1, func(p *corev1.Pod) { p.Status.Conditions = nil })), services, 4, 3},
		"without port":    {append(first, podOf(1, 0, nil), podOf(1, 1, func(p *corev1.Pod) { p.Spec.Containers[1].Ports = nil })), services, 4, 3},
		"being replaced":  {append(first, podOf(1, 0, nil), podOf(1, 1, nil), podOf(1, 1, func(p *corev1.Pod) { p.Name += "-new" })), services, 4, 3},
		"on its way out":  {append(first, podOf(1, 0, nil), podOf(1, 1, func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} })), services, 4, 3},
		"all going":       {append(first, podOf(1, 1, func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} })), services, 2, 2},
		"without Service": {append(first, podOf(1, 0, nil), podOf(1, 1, nil)), services[:1], 2, 2},
	} {
		targets, reasons := withServices(plan, present(plan.Nodes, c.pods), c.services)
		targets, more, outdated := withPods(targets, c.pods, true)
		if len(reasons)+len(more)+len(outdated) > 0 {
			t.Errorf("%s: waits for %q, %q, %q", name, reasons, more, outdated)
		}
		if len(targets) != c.recorded || len(running(targets)) != c.running {
			t.Errorf("%s: %d recorded and %d announced, want %d and %d", name, len(targets), len(running(targets)), c.recorded, c.running)
		}
		if shards := externalEndpoints(&schema.Plan{}, targets); len(shards) != c.recorded/2 {
			t.Errorf("%s: %d shards in the status", name, len(shards))
		}
	}
	targets, reasons := withServices(plan, present(plan.Nodes, nil), services)
	if _, more, _ := withPods(targets, nil, true); len(targets) != 2 || len(reasons) > 0 || len(more) != 2 {
		t.Errorf("the shard that stays is not waited for: %q, %q", reasons, more)
	}
}

// A pod from before the policy is as good as another where none is rolled; whatever
// else it needs, it needs.
func TestPodsThatAreNotRolled(t *testing.T) {
	old := func(change func(*corev1.Pod)) *corev1.Pod {
		return podOf(0, 1, func(p *corev1.Pod) {
			p.Spec.Containers[1].Ports = nil
			if change != nil {
				change(p)
			}
		})
	}
	plan := planOf(schema.ClusterIP, 1)
	plan.Inject, plan.Roll, plan.ServiceScope = schema.InjectAdmission, schema.RollLater, schema.ScopeNode
	if plan.Evicts() {
		t.Error("pods that are not rolled are evicted")
	}
	for want, second := range map[string]*corev1.Pod{
		"":                                old(nil),
		"pod valkey-c-0-1-0 is not Ready": old(func(p *corev1.Pod) { p.Status.Conditions = nil }),
		"node c-0-1 has no pod yet":       old(func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }),
	} {
		pods := &informer[*corev1.Pod]{listed: true, watching: true, items: map[string]*corev1.Pod{"0": podOf(0, 0, nil), "1": second}}
		w := &watcher{pods: pods, services: &informer[*corev1.Service]{listed: true, watching: true, items: map[string]*corev1.Service{"0": serviceOf(0)}}}
		seen, err := w.ofPlan(plan, plan.Evicts())
		if err != nil || strings.Join(seen.reasons, ", ") != want || len(seen.outdated) > 0 {
			t.Errorf("%q, %q, %v; want %q", seen.reasons, seen.outdated, err, want)
		}
		if want == "" && seen.targets[1].PodIP != "10.0.0.1" {
			t.Errorf("the old pod is at %q", seen.targets[1].PodIP)
		}
	}
}

// Pods that lack the overlay are evicted once nothing else is missing of the pods,
// and only by a run that sets something.
func TestWhoEvicts(t *testing.T) {
	known := func() *watcher {
		outdated := podOf(0, 1, func(p *corev1.Pod) {
			p.Spec.Containers[1].Ports = nil
			p.Spec.Containers[1].Env = []corev1.EnvVar{{Name: schema.Marker}}
		})
		pods := &informer[*corev1.Pod]{listed: true, watching: true, items: map[string]*corev1.Pod{"0": podOf(0, 0, nil), "1": outdated}}
		return &watcher{pods: pods, services: &informer[*corev1.Service]{listed: true, watching: true, items: map[string]*corev1.Service{"0": serviceOf(0)}}}
	}
	for name, c := range map[string]struct {
		options Options
		inject  string
		want    bool
	}{
		"a run":              {Options{}, schema.InjectAdmission, true},
		"a dry run":          {Options{DryRun: true}, schema.InjectAdmission, false},
		"without announcing": {Options{NoAnnounce: true}, schema.InjectAdmission, false},
		"without the policy": {Options{}, "patch", false},
		"a plan of before":   {Options{}, "", false},
	} {
		plan := planOf(schema.ClusterIP, 1)
		plan.Inject = c.inject
		c.options.Plan = plan
		r := run{Options: c.options, watcher: known()}
		seen, err := r.watcher.ofPlan(plan, r.mayEvict())
		if err != nil || (len(seen.outdated) > 0) != c.want || (len(seen.reasons) > 0) == c.want {
			t.Errorf("%s: %q, %q, %v", name, seen.outdated, seen.reasons, err)
		}
		r.watcher.pods.items["0"].Status.Conditions = nil
		if seen, err := r.watcher.ofPlan(plan, r.mayEvict()); err != nil || len(seen.outdated) > 0 || len(seen.reasons) != 2 {
			t.Errorf("%s, while another pod is not Ready: %q, %q, %v", name, seen.outdated, seen.reasons, err)
		}
	}
}
