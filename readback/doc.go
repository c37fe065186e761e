// Package readback is what the read-back Job does, once and as often as one
// likes: it waits until Services and pods of a Plan are ready, records where
// clients outside reach each node, announces that to the running nodes and
// verifies that every node reports it of every other.
//
// It decides on your behalf: nothing is written or set before every node of the
// Plan is ready, answers and is new enough; hostnames are known everywhere
// before any client is sent to one; a client port is announced together with the
// endpoint type "hostname" or not at all.
package readback
