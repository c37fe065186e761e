package e2e

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
)

// The Role is exactly what the program needs: what the API server was asked
// under it is what it grants, and with any verb on any resource taken away the
// run fails and says which.
func TestReadbackRoleIsExact(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 1, hostnames, ""))
	readsBack(b, manifests)
	jobEnds(b, manifests)

	name := "valkey-" + clusterName + "-readback"
	role, err := b.Kube().RbacV1().Roles(b.Namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rights := rightsOf(role.Rules)
	// Only some runs delete a Job before them or evict a pod: other tests show these.
	maps.DeleteFunc(rights, func(right string, _ rbacv1.PolicyRule) bool {
		return right == "delete jobs" || strings.HasPrefix(right, "create pods/eviction")
	})
	jobs, err := b.Kube().BatchV1().Jobs(b.Namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(jobs.Items) != 1 {
		t.Fatalf("%d jobs: %v", len(jobs.Items), err)
	}
	var asked []string
	for _, r := range b.Requests(name) {
		right := fmt.Sprintf("%s %s", r.Verb, r.Object.Resource)
		if r.Object.Subresource != "" {
			right += "/" + r.Object.Subresource
		}
		if r.Verb == "patch" || r.Object.Resource == "configmaps" {
			right += " " + r.Object.Name
		}
		if !slices.Contains(asked, right) {
			asked = append(asked, right)
		}
	}
	slices.Sort(asked)
	if want := slices.Sorted(maps.Keys(rights)); !slices.Equal(asked, want) {
		t.Errorf("the Role grants\n%q, the API server was asked for\n%q", want, asked)
	}

	// All at once: a missing right is waited for a while.
	var all sync.WaitGroup
	for right := range rights {
		kubeconfig := accountWithout(b, rights, right)
		all.Go(func() {
			o := runReadback(b, manifests, "--kubeconfig", kubeconfig, "--job", jobs.Items[0].Name)
			verb, resource, _ := strings.Cut(right, " ")
			resource, _, _ = strings.Cut(resource, " ")
			o.must(b, 1, fmt.Sprintf("cannot %s resource \\\"%s\\\"", verb, resource))
		})
	}
	all.Wait()
}

// rightsOf splits rules into single rights: one verb on one resource.
func rightsOf(rules []rbacv1.PolicyRule) map[string]rbacv1.PolicyRule {
	rights := map[string]rbacv1.PolicyRule{}
	for _, rule := range rules {
		for _, verb := range rule.Verbs {
			for _, resource := range rule.Resources {
				right := strings.TrimSpace(verb + " " + resource + " " + strings.Join(rule.ResourceNames, " "))
				rights[right] = rbacv1.PolicyRule{
					APIGroups: rule.APIGroups, Resources: []string{resource}, Verbs: []string{verb}, ResourceNames: rule.ResourceNames,
				}
			}
		}
	}
	return rights
}

// accountWithout makes a ServiceAccount with all rights but one, and returns a
// kubeconfig for it.
func accountWithout(b *bed.Bed, rights map[string]rbacv1.PolicyRule, missing string) string {
	b.T.Helper()
	name := "without-" + strings.NewReplacer(" ", "-", "/", "-").Replace(missing)
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for right, rule := range rights {
		if right != missing {
			role.Rules = append(role.Rules, rule)
		}
	}
	ctx, kube := b.T.Context(), b.Kube()
	if _, err := kube.RbacV1().Roles(b.Namespace).Create(ctx, role, metav1.CreateOptions{}); err != nil {
		b.T.Fatal(err)
	}
	return account(b, name, name)
}

// account makes a ServiceAccount with a Role, and a kubeconfig for it.
func account(b *bed.Bed, name, role string) string {
	b.T.Helper()
	ctx, kube := b.T.Context(), b.Kube()
	accounts := kube.CoreV1().ServiceAccounts(b.Namespace)
	if _, err := accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		b.T.Fatal(err)
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: b.Namespace}},
	}
	if _, err := kube.RbacV1().RoleBindings(b.Namespace).Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		b.T.Fatal(err)
	}
	token, err := accounts.CreateToken(ctx, name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		b.T.Fatal(err)
	}
	config, err := clientcmd.LoadFromFile(b.Kubeconfig())
	if err != nil {
		b.T.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		user.Token = token.Status.Token
	}
	path := filepath.Join(b.T.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		b.T.Fatal(err)
	}
	return path
}

// The API server is asked as often for 300 shards as for 3.
func TestReadbackRequestsDoNotGrow(t *testing.T) {
	t.Parallel()
	b := start(t)
	counts, resident := map[int]int{}, 0
	for _, shards := range []int{3, 300} {
		manifests := rendered(b, input(b, shards, hostnames, ""))
		b.Apply(kinds(t, manifests, "Service", "ConfigMap", "ServiceAccount", "Role", "RoleBinding", "ValkeyCluster"))
		readyPods(b, operator.For(b, clusterName))
		name := fmt.Sprintf("counted-%d", shards)
		o := runReadback(b, manifests, "--no-announce", "--kubeconfig", account(b, name, "valkey-"+clusterName+"-readback"))
		o.must(b, 0, "msg=done")
		resident = o.resident
		counts[shards] = len(b.Requests(name))
		if want := shards*2 + 2; len(endpointsMap(b).Data) != want {
			t.Errorf("%d shards: the ConfigMap has %d keys, not %d", shards, len(endpointsMap(b).Data), want)
		}
	}
	t.Logf("requests: %d for 3 shards, %d for 300, where the program took %d KiB", counts[3], counts[300], resident)
	if counts[3] == 0 || counts[3] != counts[300] || counts[300] > 12 {
		t.Errorf("requests by shards: %v", counts)
	}
}

// readyPods makes a pod that is Ready, and nowhere, for each node of a cluster.
func readyPods(b *bed.Bed, c *operator.Cluster) {
	b.T.Helper()
	ctx, core := b.T.Context(), b.Kube().CoreV1()
	const elsewhere = "elsewhere" // a machine that nobody runs pods on
	_, err := core.Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: elsewhere}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		b.T.Fatal(err)
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i, n := range c.Nodes() {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			pod := podOf(c.Name, n.Shard, n.Index)
			pod.Name = fmt.Sprintf("valkey-%s-%d-%d-0", c.Name, n.Shard, n.Index)
			pod.Spec.NodeName = elsewhere
			pod.Spec.TerminationGracePeriodSeconds = new(int64(0))
			pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{Name: portName(n.Index), ContainerPort: 6379}}
			made, err := core.Pods(b.Namespace).Create(ctx, pod, metav1.CreateOptions{})
			if apierrors.IsAlreadyExists(err) {
				return
			}
			if err == nil {
				made.Status.Phase, made.Status.PodIP = corev1.PodRunning, fmt.Sprintf("10.244.%d.%d", 128+i/250, 1+i%250)
				made.Status.PodIPs = []corev1.PodIP{{IP: made.Status.PodIP}}
				made.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
				_, err = core.Pods(b.Namespace).UpdateStatus(ctx, made, metav1.UpdateOptions{})
			}
			if err != nil {
				b.T.Errorf("making the pod of %v: %v", n, err)
			}
		})
	}
	all.Wait()
}
