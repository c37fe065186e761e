package readback

import "fmt"

// choice is what to do next about pods that lack the overlay.
type choice struct {
	evict *member // this pod goes
	by    *member // but first, this node takes over from it

	// reasons say why nothing may be done yet; blocked are the pods that no
	// waiting lets go: a person must decide.
	reasons, blocked []string
}

// choose picks one pod, so that no data and no slot is lost with it: only while
// every node sees all slots served and every replica follows its primary. Then a
// replica goes at once, for its primary has all it has. A primary goes after a
// replica took over. How far that replica is behind does not matter: the primary
// holds writes back till it has them all (CLUSTER FAILOVER without FORCE), and is in
// sync as a replica itself before it goes. A node that is alone in its shard goes
// only if it holds nothing.
//
// Replicas go first: then each takeover is by a pod that stays.
func choose(members []member) choice {
	var c choice
	primaries := map[int]*member{}
	standby := map[int]*member{}
	for i := range members {
		m := &members[i]
		switch {
		case !m.healthy:
			c.reasons = append(c.reasons, fmt.Sprintf("node %s to see all slots served", m.Name))
		case m.primary:
			if primaries[m.Shard] != nil {
				c.reasons = append(c.reasons, fmt.Sprintf("shard %d to have one primary", m.Shard))
			}
			primaries[m.Shard] = m
		case !m.inSync:
			c.reasons = append(c.reasons, fmt.Sprintf("node %s to follow its primary", m.Name))
		case standby[m.Shard] == nil || standby[m.Shard].outdated && !m.outdated:
			standby[m.Shard] = m
		}
	}
	for i := range members {
		if m := &members[i]; primaries[m.Shard] == nil && len(c.reasons) == 0 {
			c.reasons = append(c.reasons, fmt.Sprintf("shard %d to have a primary", m.Shard))
		}
	}
	if len(c.reasons) > 0 {
		return c
	}
	for i := range members {
		if m := &members[i]; m.outdated && !m.primary {
			c.evict = m
			return c
		}
	}
	for i := range members {
		m := &members[i]
		switch {
		case !m.outdated:
		case standby[m.Shard] != nil:
			c.evict, c.by = m, standby[m.Shard]
			return c
		case m.empty:
			c.evict = m
			return c
		default:
			c.blocked = append(c.blocked, m.Pod)
			c.reasons = append(c.reasons, fmt.Sprintf("pod %s was created before the policy was in force, and holds the only copy of its shard's data: it is not evicted", m.Pod))
		}
	}
	return c
}
