package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	rules "github.com/valkey-expose/valkey-expose/cue"
)

// maxMemory is what a run takes at most, in MiB; see TestMemoryOfLargeInputs.
const maxMemory = 400

// TestReferenceHasTheLimits holds the figures of the reference to those that the
// program names when an input is over a limit and, where going over one takes
// seconds, to the constant of package rules.
func TestReferenceHasTheLimits(t *testing.T) {
	const cluster = "apiVersion: valkey.io/v1alpha1\nkind: ValkeyCluster\nmetadata: {name: a, namespace: shop}\nspec: {shards: 500, externalAccess: {enabled: true, serviceType: LoadBalancer}}\n"
	limit := func(input, message string, args ...string) int {
		t.Helper()
		if args == nil {
			args = []string{"vet", "-f", "-"}
		}
		_, _, stderr := program([]byte(input), args...)
		found := regexp.MustCompile(message).FindSubmatch(stderr)
		if found == nil {
			t.Fatalf("no %q in %.300s", message, stderr)
		}
		n, err := strconv.Atoi(string(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	arrows := limit(cluster, `draw at most (\d+)`, "endpoints", "-f", "-", "--format", "mermaid")
	contains(t, reference,
		fmt.Sprintf("Limits of an input: %d MiB and %s documents a file; %.1f MiB, %d levels, %s values and %d checked fields a ValkeyCluster; %d ValkeyClusters with external access a file, %d with the block;",
			limit(strings.Repeat("#", rules.MaxFile+1), `is larger than (\d+) MiB`),
			thousands(constantOfRules(t, "maxObjects")),
			float64(limit(cluster+"# "+strings.Repeat("x", 2<<20), `is larger than the (\d+) KiB an API server takes`))/1024,
			limit(cluster+"x: "+strings.Repeat("[", 200)+strings.Repeat("]", 200), `is nested more than (\d+) levels deep`),
			thousands(limit(cluster+"x: ["+strings.Repeat("a,", 100_000)+"]", `holds more than (\d+) values`)),
			constantOfRules(t, "maxFields"), constantOfRules(t, "maxClusters"), constantOfRules(t, "maxBlocks")),
		fmt.Sprintf("No input takes more than %d MiB of memory.", maxMemory),
		fmt.Sprintf("An answer holds at most %d problems of a file, %d of a document", constantOfRules(t, "maxProblems"), constantOfRules(t, "maxFindings")),
		fmt.Sprintf("Code hosts draw %d arrows at most: more than %d nodes are refused", arrows, arrows/3),
	)
}

// constantOfRules reads a number that package rules keeps to itself.
func constantOfRules(t *testing.T, name string) int {
	t.Helper()
	files, err := filepath.Glob("../../cue/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`(?m)^\s*(?:const )?` + name + ` += ([\d_]+)$`).FindSubmatch(text); m != nil {
			n, err := strconv.ParseInt(string(m[1]), 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			return int(n)
		}
	}
	t.Fatalf("package rules has no %s", name)
	return 0
}

// TestReferenceHasTheJobsResources: what the Job asks for unless it is patched.
func TestReferenceHasTheJobsResources(t *testing.T) {
	_, out, _ := program(nil, "render", "-f", "../../examples/cluster.yaml", "--readback-image", "i")
	limits := regexp.MustCompile(`limits:\n +cpu: (\S+)\n +memory: (\S+)\n`).FindSubmatch(out)
	if limits == nil {
		t.Fatal("the Job has no limits")
	}
	contains(t, reference, fmt.Sprintf("(%s and %s are the Job's own)", limits[1], limits[2]))
}

// TestReferenceHasTheExitCodes: all of them, and no others.
func TestReferenceHasTheExitCodes(t *testing.T) {
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "### Exit codes\n")
	table, _, _ = strings.Cut(table, "\n#")
	var codes []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(table, -1) {
		codes = append(codes, m[1])
	}
	if diff := cmp.Diff([]string{strconv.Itoa(exit.Done), strconv.Itoa(exit.Rejected), strconv.Itoa(exit.Misuse)}, codes); diff != "" {
		t.Errorf("-the program's +the document's:\n%s", diff)
	}
}

// contains finds sentences in a document, wherever its lines end.
func contains(t *testing.T, document string, sentences ...string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.Join(strings.Fields(string(text)), " ")
	for _, s := range sentences {
		if !strings.Contains(joined, s) {
			t.Errorf("%s does not say: %s", document, s)
		}
	}
}

// thousands writes a number from 10 000 on with a blank.
func thousands(n int) string { return fmt.Sprintf("%d %03d", n/1000, n%1000) }
