package readback

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// member is a node of the cluster as it tells of itself.
type member struct {
	Target
	outdated bool // its pod lacks the overlay

	healthy bool // it sees all slots served
	primary bool // it serves slots
	inSync  bool // a replica that follows its primary, all data there
	empty   bool // it holds no key
}

const allSlots = 16384

// ask has a node tell of itself.
func (n *node) ask(ctx context.Context, m *member) error {
	cluster, err := n.text(ctx, n.client.B().ClusterInfo().Build())
	if err != nil {
		return fmt.Errorf("CLUSTER INFO: %w", err)
	}
	nodes, err := n.text(ctx, n.client.B().ClusterNodes().Build())
	if err != nil {
		return fmt.Errorf("CLUSTER NODES: %w", err)
	}
	info, err := n.text(ctx, n.client.B().Info().Section("replication", "keyspace").Build())
	if err != nil {
		return fmt.Errorf("INFO: %w", err)
	}
	return m.tells(cluster, nodes, info)
}

// tells reads the answers to CLUSTER INFO, CLUSTER NODES and INFO.
func (m *member) tells(cluster, nodes, info string) error {
	c, i := fieldsOf(cluster), fieldsOf(info)
	for _, field := range []string{"cluster_state", "cluster_slots_assigned", "cluster_slots_ok"} {
		if c[field] == "" {
			return fmt.Errorf("CLUSTER INFO has no %s", field)
		}
	}
	if i["role"] == "" {
		return errors.New("INFO has no role")
	}
	served := strconv.Itoa(allSlots)
	m.healthy = c["cluster_state"] == "ok" && c["cluster_slots_assigned"] == served && c["cluster_slots_ok"] == served
	m.primary = false
	for line := range strings.Lines(nodes) {
		// The ninth field and those behind it are slots.
		if f := strings.Fields(line); len(f) > 8 && strings.Contains(f[2], "myself") && strings.Contains(f[2], "master") {
			m.primary = true
		}
	}
	m.inSync = i["role"] == "slave" && i["master_link_status"] == "up" && i["master_sync_in_progress"] == "0"
	m.empty = true
	for name := range i {
		if strings.HasPrefix(name, "db") {
			m.empty = false
		}
	}
	return nil
}

// fieldsOf reads lines of name:value.
func fieldsOf(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}
