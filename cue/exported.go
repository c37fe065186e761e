package rules

import (
	"github.com/valkey-expose/valkey-expose/schema"
)

// exported warns of what only an object that was read from an API server has:
// applied again, it conflicts, or is refused. What is rendered goes without.
func (t tree) exported() []schema.Problem {
	var problems []schema.Problem
	for _, path := range schema.ServerOwned {
		n := t.member(path...)
		if n == nil || n.ShortTag() == "!!null" {
			continue
		}
		var at string
		for _, name := range path {
			at = join(at, name)
		}
		p := t.problem(at, "is the API server's, and left out of what is rendered", "")
		p.Position = t.locateKey(at)
		p.Warning = true
		problems = append(problems, p)
	}
	return problems
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
