package gen

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// planKey is the Plan's key in its ConfigMap, and its file in the Job's pod.
const planKey = "plan.json"

// planMap renders the Plan for the Job, and for comparing a later render with
// this one.
func (b *builder) planMap() (any, error) {
	text, err := b.planText()
	if err != nil {
		return nil, err
	}
	m := b.configMap(planName(b.cluster.Name))
	m.Data = map[string]string{planKey: text}
	annotate(m, b.gitops.before)
	return m, nil
}

// planText is the Plan as JSON with one node a line, so that a diff shows the
// nodes that changed and the ConfigMap stays small. It is written once.
func (b *builder) planText() (string, error) {
	if b.text != "" {
		return b.text, nil
	}
	plan := b.plan
	plan.Nodes = []schema.Node{}
	head, err := json.Marshal(plan)
	if err != nil {
		return "", fmt.Errorf("writing the plan: %w", err)
	}
	var text bytes.Buffer
	text.Write(bytes.TrimSuffix(head, []byte("]}")))
	for i, node := range b.plan.Nodes {
		line, err := json.Marshal(node)
		if err != nil {
			return "", fmt.Errorf("writing the plan: %w", err)
		}
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
		text.Write(line)
	}
	text.WriteString("\n]}\n")
	b.text = text.String()
	return b.text, nil
}
