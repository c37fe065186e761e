package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	rules "github.com/valkey-expose/valkey-expose/cue"
)

// FuzzCheck: no input makes vet panic, hang, or say more than a person reads. What
// vet accepts can be rendered, and nothing of it is lost on the way.
func FuzzCheck(f *testing.F) {
	addInputs(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		code, stdout, stderr := program(input, "vet", "-f", "-")
		if code != exit.Done && code != exit.Rejected {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		if len(stdout) > 0 {
			t.Errorf("vet printed %q", stdout)
		}
		if code == exit.Rejected && len(stderr) == 0 {
			t.Error("rejected without a word")
		}
		atMost64KiB(t, stderr)

		rendered, stdout, stderr := program(input, "render", "-f", "-", "--readback-image", "i", "-n", "elsewhere")
		if rendered != code {
			t.Errorf("vet ends with %d, render with %d: %s", code, rendered, stderr)
		}
		if rendered == exit.Done {
			nothingIsLost(t, input, stdout)
		}
	})
}

// checker is compiled once: a worker reads thousands of inputs.
var checker = sync.OnceValue(func() *rules.Rules {
	r, err := rules.New()
	if err != nil {
		panic(err) // other tests tell more
	}
	return r
})

// nothingIsLost: every byte of an input but byte order marks belongs to a document,
// and every document that is not rendered anew is in the output as it was. A List
// may have become its objects.
func nothingIsLost(t *testing.T, input, output []byte) {
	t.Helper()
	documents, _ := checker().Check("", input)
	var joined []byte
	list := false
	for _, d := range documents {
		joined = append(joined, d.Source...)
		list = list || d.Within != ""
		if d.Cluster == nil && !bytes.Contains(output, d.Source) {
			t.Errorf("lost from the output: %q", d.Source)
		}
	}
	if mark := []byte("\ufeff"); !list && !bytes.Equal(bytes.ReplaceAll(joined, mark, nil), bytes.ReplaceAll(input, mark, nil)) {
		t.Errorf("read as %q", joined)
	}
}

// FuzzRender: no input makes render panic or hang; what is rejected leaves no
// output, and rendering what was rendered changes nothing.
func FuzzRender(f *testing.F) {
	addInputs(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		args := []string{"render", "-f", "-", "--readback-image", "i", "-n", "shop"}
		code, once, stderr := program(input, args...)
		atMost64KiB(t, stderr)
		if code != exit.Done {
			if code != exit.Rejected || len(once) > 0 {
				t.Errorf("exit code %d with %d bytes of output: %s", code, len(once), stderr)
			}
			return
		}
		if len(once) > 8<<20 {
			return // too large to be an input
		}
		code, twice, stderr := program(once, args...)
		if code != exit.Done {
			t.Fatalf("the output is rejected: %s\n%s", stderr, once)
		}
		if !bytes.Equal(once, twice) {
			t.Errorf("rendering the output changes it:\n%s\n---- became ----\n%s", once, twice)
		}
	})
}

func program(input []byte, args ...string) (code int, stdout, stderr []byte) {
	var out, err bytes.Buffer
	code = run(context.Background(), args, bytes.NewReader(input), &out, &err)
	return code, out.Bytes(), err.Bytes()
}

func atMost64KiB(t *testing.T, stderr []byte) {
	t.Helper()
	if len(stderr) > 64<<10 {
		t.Errorf("%d bytes of errors", len(stderr))
	}
}

// addInputs seeds with inputs of other tests, less large ones, and with awkward ones:
// few enough to be gone through in seconds.
func addInputs(f *testing.F) {
	f.Helper()
	for _, pattern := range []string{"../../cue/testdata/tool/*", "../../golden/*/input.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no inputs %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			if !strings.Contains(string(text), "shards: 16384") {
				f.Add(text)
			}
		}
	}
	for _, text := range awkward {
		f.Add([]byte(text))
	}
}

// awkward is what readers of YAML and JSON take for different things.
var awkward = func() []string {
	const (
		cluster = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a}\nspec: {shards: 1, externalAccess: {enabled: true}}\n"
		object  = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`
		inJSON  = `{"apiVersion":"valkey.io/v1alpha1","kind":"ValkeyCluster","metadata":{"name":"a"},"spec":{"shards":1,"externalAccess":{"enabled":true}}}`
	)
	all := []string{
		object + "\n" + inJSON, object + inJSON, object + "\n\n" + cluster, "{kind: A}\n" + cluster, inJSON + " # x\n...\n" + inJSON,
		"\ufeff---\n" + cluster, "kind: A\n---\n\ufeff" + cluster, "kind: A\n\ufeffx: 1\n", "\ufeff" + inJSON,
		strings.ReplaceAll(cluster, "\n", "\r"), strings.ReplaceAll(cluster, "\n", "\r\n"), "a: 1\r---\r" + cluster,
		"apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(cluster, "\n", "\n  ") + "\n- {kind: List, items: [" + inJSON + "]}\n",
		`{"kind":"List","items":[` + object + "," + inJSON + "]}",
		strings.Replace(cluster, "{name: a}", "{<<: {name: a}}", 1), strings.Replace(cluster, "{shards", "{<<: {externalAccess: null}, shards", 1),
		strings.Replace(cluster, "spec:", "x: &x {externalAccess: {enabled: false}}\nspec: *x #", 1), "a: &a {<<: *a}\n" + cluster,
		strings.Replace(cluster, "name: a", "name: no", 1), strings.Replace(cluster, "name: a", "name: a, uid: b, annotations: {y: n}", 1),
		strings.Replace(cluster, "ValkeyCluster", "valkeycluster", 1), strings.Replace(cluster, "{shards: 1", "{shards: 1, shards: 1", 1),
		"kind: ValkeyCluster\nspec: null\n", "x:\n\ty: 1\n", "? externalAccess\n: 1\n",
	}
	for _, mark := range []string{"\u2028", "\u2029", "\u0085", "\r", "\ufeff"} {
		all = append(all, strings.Replace(cluster, "{name", "{annotations: {x: \"1"+mark+"2\"}, name", 1), "# 1"+mark+"2\n"+cluster, cluster+"---"+mark+"\n"+object)
	}
	for _, number := range []string{"99999999999999999999", ".inf", "-.Inf", ".nan", "1e400"} {
		all = append(all, strings.Replace(cluster, "shards: 1", "shards: 1, replicas: "+number, 1))
	}
	return all
}()
