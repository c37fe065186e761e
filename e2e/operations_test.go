package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/e2e/product"
)

// With a CronJob, a Service made anew is announced at the next run, by nobody's
// hand. Then every command of the document on operations is run as it stands
// there, but for the namespace.
func TestOperations(t *testing.T) {
	t.Parallel()
	b := start(t)
	manifests := rendered(b, input(b, 3, hostnames, ""), "--readback", "cronjob", "--readback-schedule", "* * * * *")
	c := readsBack(b, manifests)
	jobEnds(b, manifests)

	renew(b, manifests, 1)
	announcesNodePorts(b, c)
	recordsNodePorts(b, c)

	commands := commandsOf(t)
	says := []string{
		"", // node ports have no address
		endpointsMap(b).Data["bootstrap"],
		`"node":"orders-2-1"`,
		"", // this CRD has no such field
		"deleted",
		"job.batch/readback-now created",
		"", // no run has failed
		"vk-n1",
	}
	if len(commands) != len(says) {
		t.Fatalf("the document has %d commands, not %d: %q", len(commands), len(says), commands)
	}
	for i, command := range commands {
		out, err := b.Shell(strings.ReplaceAll(command, "-n shop", "-n "+b.Namespace))
		if err != nil || !strings.Contains(out, says[i]) {
			t.Errorf("%s\nprints %q, not %q: %v", command, out, says[i], err)
		}
	}
}

// commandsOf are the commands in the blocks of the document on operations.
func commandsOf(t *testing.T) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(product.Root(t), "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			if !strings.HasPrefix(line, "#") {
				commands = append(commands, strings.TrimSpace(line))
			}
		}
	}
	return commands
}
