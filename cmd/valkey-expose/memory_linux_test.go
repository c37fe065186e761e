package main

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	rules "github.com/valkey-expose/valkey-expose/cue"
)

// TestMemoryOfLargeInputs: no input takes more than maxMemory, whatever it is made of.
func TestMemoryOfLargeInputs(t *testing.T) {
	const cluster = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a, namespace: shop}\nspec: {shards: 1, externalAccess: {enabled: true}}\n"
	const small = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: x, namespace: shop}\n"
	full := func(first, unit string) string {
		return first + strings.Repeat(unit, (rules.MaxFile-len(first))/len(unit))
	}
	const megabyte = 1 << 20
	flow := "x: [" + strings.Repeat("a,", megabyte*3/4-200) + "]\n" // of a document that an API server takes
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + strings.Repeat(small, 60_000)
	for name, test := range map[string]struct {
		input string
		args  []string
	}{
		"markers":               {full("", "---\n"), nil},
		"marked markers":        {full("", "\ufeff---\n"), nil},
		"small documents":       {full(cluster, "---\napiVersion: v1\nkind: A\nmetadata: {name: b}\n"), nil},
		"smallest documents":    {full("", "---\nkind: A\n"), nil},
		"JSON documents":        {full("", `{"kind":"A"}`), nil},
		"directives":            {full(strings.Repeat("#\n", 2*megabyte), "%a\n"), nil},
		"a flow document":       {full("kind: A\nx: [", "a,"), nil},
		"flow documents":        {strings.Repeat("---\nkind: A\n"+flow, 5), nil},
		"flow clusters":         {strings.Repeat("---\n"+cluster+flow, 5), nil},
		"flow Lists":            {strings.Repeat("---\nkind: List\nitems: [{kind: A}]\n"+flow, 5), nil},
		"a List":                {full("apiVersion: v1\nkind: List\nitems:\n", small+"  data: {key: "+strings.Repeat("some text ", 10)+"}\n"), nil},
		"aliases":               {full("kind: A\na: &a b\nx: [", "*a,"), nil},
		"line separators":       {full("kind: A\nx: \"", "\u2028"), nil},
		"clusters without it":   {full("", "---\napiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a}\nspec: {shards: 1}\n"), nil},
		"clusters switched off": {full("", "---\n"+strings.Replace(cluster, "true", "false", 1)), nil},
		"items of a function":   {list, []string{"fn", "--readback", "none"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := test.args
			if args == nil {
				args = []string{"render", "-f", "-", "--readback", "none"}
			}
			cmd := exec.Command("valkey-expose", args...) // TestMain put it into the PATH
			cmd.Stdin = strings.NewReader(test.input)
			err := cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != exit.Done && code != exit.Rejected {
				t.Fatalf("exit code %s: %v", strconv.Itoa(code), err)
			}
			if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; used > maxMemory<<10 {
				t.Errorf("%d KiB of memory", used)
			}
		})
	}
}
