package gen

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// planMap renders the Plan for the Job, and for comparing a later render with
// this one.
func (b *builder) planMap() (any, error) {
	text, err := b.planText()
	if err != nil {
		return nil, err
	}
	m := b.configMap(schema.PlanName(b.cluster.Name))
	m.Data = map[string]string{schema.PlanKey: text}
	if b.options.Readback != ReadbackNone {
		job, err := b.job()
		if err != nil {
			return nil, err
		}
		m.Data[schema.JobKey] = job.Name
	}
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
