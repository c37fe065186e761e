package readback

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestDocumentHasTheFigures holds docs/readback.md to the times and numbers of the
// code.
func TestDocumentHasTheFigures(t *testing.T) {
	text, err := os.ReadFile("../docs/readback.md")
	if err != nil {
		t.Fatal(err)
	}
	document := strings.Join(strings.Fields(string(text)), " ")
	inWords := map[any]string{2: "twice", time.Minute: "a minute", 10 * time.Second: "ten seconds"}
	for _, sentence := range []string{
		fmt.Sprintf("to the running nodes, %d at a time", maxConnections),
		fmt.Sprintf("nodes ping each other every %d ms (`%s`)", shortInterval, pingInterval),
		fmt.Sprintf("waits up to %s until their pods have stopped", inWords[jobStopTimeout]),
		fmt.Sprintf("every node sees all %d,%03d slots served", allSlots/1000, allSlots%1000),
		fmt.Sprintf("- %s a node at most, the second time %s after", inWords[mostEvictions], inWords[policyGrace]),
		fmt.Sprintf("A missing right is waited for up to %d seconds", int(rightsGrace.Seconds())),
	} {
		if !strings.Contains(document, sentence) {
			t.Errorf("docs/readback.md does not say: %s", sentence)
		}
	}
}
