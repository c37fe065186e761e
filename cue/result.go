package rules

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Limits of an input.
const (
	// MaxFile is the size of the largest file, in bytes.
	MaxFile = 8 << 20
	// maxProblems is how many problems of a file are looked for. Who has a
	// thousand has another one first.
	maxProblems = 1000
	// maxClusters is how many ValkeyClusters with external access a file may
	// hold: CUE keeps what it has evaluated.
	maxClusters = 200
	// maxBlocks is how many may have the block, enabled or not: each is evaluated.
	maxBlocks = 2000
	// maxObjects is how many documents a file may hold: MaxFile leaves each of
	// them 41 bytes, which is less than an object with a kind and a name.
	maxObjects = 200_000
)

// result is what was found in a file.
type result struct {
	documents []schema.Document
	problems  []schema.Problem
	objects   int  // and what should be one
	exposed   int  // clusters with external access
	blocks    int  // clusters with the block
	blank     bool // the last document holds nothing
}

// full reports whether reading stops at a place, and why.
func (r *result) full(at schema.Position) bool {
	var message string
	switch {
	case r.exposed > maxClusters:
		message = fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with external access", maxClusters)
	case r.blocks > maxBlocks:
		message = fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with spec.externalAccess", maxBlocks)
	case len(r.documents) > maxObjects:
		message = fmt.Sprintf("is one document too many: a file holds %d", maxObjects)
	case len(r.problems) >= maxProblems:
		message = "is where reading stopped: there may be more problems below"
	default:
		return false
	}
	r.problems = append(r.problems, schema.Problem{Position: at, Message: message})
	return true
}

// add adds the documents of one document of the stream, more than one if they are
// of a List.
func (r *result) add(documents []schema.Document, problems []schema.Problem) {
	for _, d := range documents {
		if d.Cluster != nil {
			r.blocks++
			if d.Cluster.Exposed() {
				r.exposed++
			}
		}
		if !d.Empty() {
			r.objects++
		}
	}
	if len(problems) > 0 {
		r.objects++
	}
	r.documents = append(r.documents, documents...)
	r.problems = append(r.problems, problems...)
	r.blank = false
}

// addBlank adds what holds no object. What follows it at once is one document with
// it: a file may hold millions of markers.
func (r *result) addBlank(source []byte) {
	if r.blank {
		last := &r.documents[len(r.documents)-1]
		if n := len(last.Source); cap(last.Source) > n && &last.Source[:n+1][n] == &source[0] {
			last.Source = last.Source[:n+len(source)]
			return
		}
	}
	r.documents = append(r.documents, schema.Document{Source: source})
	r.blank = true
}

// bound keeps the first problems of a document, errors before warnings: an answer
// holds as many as a person reads.
func bound(problems []schema.Problem) []schema.Problem {
	if len(problems) <= maxFindings {
		return problems
	}
	var kept []schema.Problem
	for _, warnings := range []bool{false, true} {
		for _, p := range problems {
			if p.Warning == warnings && len(kept) < maxFindings {
				kept = append(kept, p)
			}
		}
	}
	return kept
}
