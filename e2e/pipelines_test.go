package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/valkey-expose/valkey-expose/e2e/bed"
	"github.com/valkey-expose/valkey-expose/e2e/operator"
	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// example is a file of the project's examples.
func example(t testing.TB, path ...string) string {
	t.Helper()
	return filepath.Join(append([]string{product.Root(t), "examples"}, path...)...)
}

// The script for kubectl, on a fresh cluster: it ends when the Job has announced,
// and a diff right after it shows nothing, nor does one as another field manager,
// as Argo CD makes it.
func TestKubectlExample(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := filepath.Join(t.TempDir(), "deploy")
	rendered(b, input(b, 3, hostnames, ""), "-o", dir)
	text, err := os.ReadFile(filepath.Join(dir, "policy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.DeleteAtEnd(string(text))

	done := make(chan string, 1)
	go func() {
		out, err := b.Shell(example(t, "kubectl", "apply.sh") + " " + dir + " " + b.Namespace)
		if err != nil {
			out = err.Error()
		}
		done <- out
	}()
	bed.WaitFor(b, operator.ValkeyClusters, b.Namespace, clusterName, "to exist", func(*unstructured.Unstructured) bool { return true })
	inForce(b)
	c := operator.For(b, clusterName)
	c.Up()
	if out := <-done; !strings.Contains(out, "condition met") {
		t.Fatal(out)
	}
	recordsNodePorts(b, c)
	announcesNodePorts(b, c)

	apply := "kubectl apply --server-side --field-manager argocd-controller --force-conflicts -k " + dir
	if _, err := b.Shell(apply); err != nil {
		t.Fatal(err)
	}
	before := endpointsMap(b)
	if _, err := b.Shell(apply); err != nil {
		t.Fatal(err)
	}
	if out, err := b.Shell("kubectl diff --server-side --field-manager argocd-controller --force-conflicts -k " + dir); err != nil || out != "" {
		t.Errorf("applied, and it differs: %v\n%s", err, out)
	}
	if after := endpointsMap(b); after.ResourceVersion != before.ResourceVersion || len(after.Data) == 0 {
		t.Errorf("applied again, the record holds %v", after.Data)
	}
	recordsNodePorts(b, c)
}

// The objects of Argo CD and Flux are accepted with strict field validation by the
// CRDs of the real ones.
func TestGitOpsExamplesAreAccepted(t *testing.T) {
	t.Parallel()
	b := bed.Start(t)
	for _, crd := range bed.GitOpsCRDs(t) {
		b.ApplyForAll(crd)
	}
	files, err := filepath.Glob(example(t, "flux", "*.yaml"))
	if err != nil || len(files) != 4 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range append(files, example(t, "argocd", "application.yaml")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := bed.Decode(string(text))
		if err != nil || len(objects) != 1 {
			t.Fatalf("%s has %d objects: %v", file, len(objects), err)
		}
		objects[0].SetNamespace(b.Namespace)
		b.Eventually(file+" to be accepted", func() error { return b.DryRun(objects[0].Object) })
	}
}

// Flux's Kustomizations share what is rendered out among them: all of it, and
// nothing twice. kustomize is the one that Flux builds with.
func TestFluxExampleSharesOut(t *testing.T) {
	t.Parallel()
	b := bed.Start(t)
	dir := t.TempDir()
	gateway := hostnames + "gateway: {gatewayRef: {name: public}, basePort: 30000}\n"
	all := rendered(b, input(b, 2, gateway, ""), "--readback", "cronjob")
	rendered(b, input(b, 2, gateway, ""), "--readback", "cronjob", "-o", filepath.Join(dir, "deploy"))
	var names []string
	for _, file := range []string{"policy", "cluster", "routes"} {
		text, err := os.ReadFile(example(t, "flux", file+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var flux struct {
			Spec struct {
				Patches []any `json:"patches"`
			} `json:"spec"`
		}
		if err := yaml.Unmarshal(text, &flux); err != nil {
			t.Fatal(err)
		}
		overlay, err := yaml.Marshal(map[string]any{"resources": []string{"../deploy"}, "patches": flux.Spec.Patches})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, file), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, file, "kustomization.yaml"), string(overlay))
		built, err := b.Kustomize("build", filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		part := namesOf(t, built)
		if len(part) == 0 || file == "policy" != slices.ContainsFunc(part, func(n string) bool { return strings.HasPrefix(n, "Mutating") }) {
			t.Errorf("%s applies %v", file, part)
		}
		names = append(names, part...)
	}
	slices.Sort(names)
	want := namesOf(t, all)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the Kustomizations apply\n%v, not\n%v", names, want)
	}
}

func namesOf(t testing.TB, manifests string) (names []string) {
	t.Helper()
	objects, err := bed.Decode(manifests)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		names = append(names, o.GetKind()+" "+o.GetName())
	}
	return names
}

// Kustomize runs valkey-expose as a function: the API server accepts what it
// builds, which is what render writes, in an order that can be applied; what is
// wrong ends the build and is said.
func TestKustomizeFunctionExample(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := filepath.Join(t.TempDir(), "function")
	if err := os.CopyFS(dir, os.DirFS(example(t, "kustomize-function"))); err != nil {
		t.Fatal(err)
	}
	cluster := input(b, 3, hostnames, "")
	writeFile(t, filepath.Join(dir, "cluster.yaml"), cluster)
	build := "PATH=" + filepath.Dir(product.Program(t, "valkey-expose")) + ":$PATH kustomize build --enable-alpha-plugins --enable-exec " + dir
	built, err := b.Shell(build)
	if err != nil {
		t.Fatal(err)
	}
	got, want := namesOf(t, built), namesOf(t, product.Render(t, cluster, "--readback-image", "registry.example.com/valkey-readback:v0.1.0"))
	place := func(kind string) int {
		return slices.IndexFunc(got, func(n string) bool { return strings.HasPrefix(n, kind+" ") })
	}
	if !(place("MutatingAdmissionPolicyBinding") < place("ValkeyCluster") && place("ValkeyCluster") < place("Service") && place("Service") < place("Job")) {
		t.Errorf("in the order %v", got)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("built %v, not %v", got, want)
	}
	if strings.Contains(built, "${") {
		t.Error("there is a ${ in what is built")
	}
	b.Apply(built)

	writeFile(t, filepath.Join(dir, "cluster.yaml"), input(b, 3, "preferredEndpointType: hostname", ""))
	if out, err := b.Shell(build); err == nil || !strings.Contains(err.Error(), "spec.externalAccess.domain: is required with preferredEndpointType: hostname") {
		t.Errorf("built all the same: %v\n%s", err, out)
	}
}
