package e2e

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
)

// byTheCluster are the fields that the API server, or a controller, adds to what
// is rendered and that are no constants, by kind; list indices are *.
var byTheCluster = map[string]*regexp.Regexp{
	"": regexp.MustCompile(`^(status|metadata\.(uid|resourceVersion|generation|creationTimestamp|managedFields))$`),
	// Addresses, ports and IP families; the policy for traffic inside is of the
	// cluster's version.
	"Service": regexp.MustCompile(`^spec\.(clusterIPs?|ipFamil(ies|yPolicy)|internalTrafficPolicy|healthCheckNodePort|ports\.\*\.nodePort)$`),
	// The selector that the controller finds pods by. AlwaysPullImages changes
	// imagePullPolicy. serviceAccount is the old name of serviceAccountName.
	"Job":     regexp.MustCompile(`^spec\.(selector|template\.(metadata\.labels\.(batch\.kubernetes\.io/)?(controller-uid|job-name)|spec\.(serviceAccount|containers\.\*\.imagePullPolicy)))$`),
	"CronJob": regexp.MustCompile(`^spec\.jobTemplate\.spec\.template\.spec\.(serviceAccount|containers\.\*\.imagePullPolicy)$`),
}

// TestObjectsAreKeptAsRendered: to what is rendered the API server adds nothing but
// what depends on the cluster, and changes nothing: who compares literally, as Argo CD
// does, sees no difference. The ValkeyCluster is the user's own.
func TestObjectsAreKeptAsRendered(t *testing.T) {
	b := start(t)
	kinds := map[string]bool{}
	forEachGoldenCase(t, b, func(t *testing.T, output string) {
		rendered, err := bed.Decode(output)
		if err != nil {
			t.Fatal(err)
		}
		applied := b.Apply(output)
		for i, want := range rendered {
			kind := want.GetKind()
			kinds[kind] = true
			if kind == "ValkeyCluster" || kind == "Namespace" {
				continue
			}
			for _, d := range differences("", want.Object, applied[i].Object) {
				if !dependsOnTheCluster(kind, d) {
					t.Errorf("%s %s: %s", kind, want.GetName(), d)
				}
			}
		}
	})
	for _, kind := range []string{"Service", "ConfigMap", "Job", "CronJob", "TCPRoute", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "Role", "RoleBinding", "ServiceAccount"} {
		if !kinds[kind] {
			t.Errorf("no case renders a %s", kind)
		}
	}
}

// difference is a field that is not kept as it was applied.
type difference struct {
	path string
	want any // nil: not rendered
	got  any
}

func (d difference) String() string {
	return fmt.Sprintf("%s is %v, rendered %v", d.path, d.got, d.want)
}

func dependsOnTheCluster(kind string, d difference) bool {
	return d.want == nil && (byTheCluster[""].MatchString(d.path) || byTheCluster[kind] != nil && byTheCluster[kind].MatchString(d.path))
}

func differences(path string, want, got any) []difference {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		names := slices.Sorted(maps.Keys(g))
		for name := range w {
			if _, ok := g[name]; !ok {
				names = append(names, name)
			}
		}
		var all []difference
		for _, name := range names {
			all = append(all, differences(strings.TrimPrefix(path+"."+name, "."), w[name], g[name])...)
		}
		return all
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		var all []difference
		for i := range w {
			all = append(all, differences(path+".*", w[i], g[i])...)
		}
		return all
	}
	if reflect.DeepEqual(want, got) {
		return nil
	}
	return []difference{{path, want, got}}
}
