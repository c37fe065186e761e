package readback

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// member is a node of the cluster as it reports itself.
type member struct {
	Target
	outdated bool // its pod lacks the overlay

	healthy bool // it knows all slots to be served
	primary bool // it serves slots
	inSync  bool // a replica that follows its primary, all data there
	empty   bool // it holds no key
}

const allSlots = 16384

// readMember asks a node for its state.
func (c *connection) readMember(ctx context.Context, m *member) error {
	cluster, err := c.text(ctx, c.client.B().ClusterInfo().Build())
	if err != nil {
		return fmt.Errorf("CLUSTER INFO: %w", err)
	}
	nodes, err := c.text(ctx, c.client.B().ClusterNodes().Build())
	if err != nil {
		return fmt.Errorf("CLUSTER NODES: %w", err)
	}
	info, err := c.text(ctx, c.client.B().Info().Section("replication", "keyspace").Build())
	if err != nil {
		return fmt.Errorf("INFO: %w", err)
	}
	return m.parse(cluster, nodes, info)
}

// parse reads the answers to CLUSTER INFO, CLUSTER NODES and INFO.
func (m *member) parse(cluster, nodes, info string) error {
	state, replication := fieldsOf(cluster), fieldsOf(info)
	for _, field := range []string{"cluster_state", "cluster_slots_assigned", "cluster_slots_ok"} {
		if state[field] == "" {
			return fmt.Errorf("CLUSTER INFO has no %s", field)
		}
	}
	if replication["role"] == "" {
		return errors.New("INFO has no role")
	}
	served := strconv.Itoa(allSlots)
	m.healthy = state["cluster_state"] == "ok" && state["cluster_slots_assigned"] == served && state["cluster_slots_ok"] == served
	m.primary = false
	for line := range strings.Lines(nodes) {
		// The ninth field and those behind it are slots.
		if f := strings.Fields(line); len(f) > 8 && strings.Contains(f[2], "myself") && strings.Contains(f[2], "master") {
			m.primary = true
		}
	}
	m.inSync = replication["role"] == "slave" && replication["master_link_status"] == "up" && replication["master_sync_in_progress"] == "0"
	m.empty = true
	for name := range replication {
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
