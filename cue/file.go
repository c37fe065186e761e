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
	// maxBlocks is how many may have the block, enabled or not: each takes a
	// millisecond or two.
	maxBlocks = 2000
	// maxObjects is how many documents a file may hold. One that is of use has
	// 80 bytes.
	maxObjects = 200_000
)

// file is what was read of a file.
type file struct {
	documents []schema.Document
	problems  []schema.Problem
	objects   int  // and what should be one
	exposed   int  // clusters with external access
	blocks    int  // clusters with the block
	blank     bool // the last document holds nothing
}

// full reports whether reading stops at a place, and why.
func (f *file) full(at schema.Position) bool {
	var message string
	switch {
	case f.exposed > maxClusters:
		message = fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with external access", maxClusters)
	case f.blocks > maxBlocks:
		message = fmt.Sprintf("is one ValkeyCluster too many: a file holds %d with spec.externalAccess", maxBlocks)
	case len(f.documents) > maxObjects:
		message = fmt.Sprintf("is one document too many: a file holds %d", maxObjects)
	case len(f.problems) >= maxProblems:
		message = "is where reading stopped: there may be more problems below"
	default:
		return false
	}
	f.problems = append(f.problems, schema.Problem{Position: at, Message: message})
	return true
}

// add adds the documents of one document of the stream, more than one if they are
// of a List.
func (f *file) add(documents []schema.Document, problems []schema.Problem) {
	for _, d := range documents {
		if d.Cluster != nil {
			f.blocks++
			if d.Cluster.Exposed() {
				f.exposed++
			}
		}
		if !d.Empty() {
			f.objects++
		}
	}
	if len(problems) > 0 {
		f.objects++
	}
	f.documents = append(f.documents, documents...)
	f.problems = append(f.problems, problems...)
	f.blank = false
}

// addBlank adds what holds no object. What follows it at once is one document with
// it: a file may hold millions of markers.
func (f *file) addBlank(source []byte) {
	if f.blank {
		last := &f.documents[len(f.documents)-1]
		if n := len(last.Source); cap(last.Source) > n && &last.Source[:n+1][n] == &source[0] {
			last.Source = last.Source[:n+len(source)]
			return
		}
	}
	f.documents = append(f.documents, schema.Document{Source: source})
	f.blank = true
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
