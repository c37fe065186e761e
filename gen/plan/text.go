package plan

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// write gives the Plan as JSON with one node a line, so that a diff shows the
// nodes that changed and the ConfigMap stays small.
func write(p schema.Plan) string {
	nodes := p.Nodes
	p.Nodes = []schema.Node{}
	var text bytes.Buffer
	text.Write(bytes.TrimSuffix(asJSON(p), []byte("]}")))
	for i, node := range nodes {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
		text.Write(asJSON(node))
	}
	text.WriteString("\n]}\n")
	return text.String()
}

func asJSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("writing the plan: %v", err)) // structs of strings, numbers and booleans only
	}
	return text
}
