package rules

import (
	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
)

// exported warns of what only an object that was read from an API server has:
// applied again, it conflicts, or is refused. What is rendered goes without.
func exported(o stream.Object) []schema.Problem {
	var problems []schema.Problem
	for _, path := range schema.ServerOwned {
		n := o.Member(path...)
		if n == nil || n.ShortTag() == "!!null" {
			continue
		}
		var at string
		for _, name := range path {
			at = stream.JoinPath(at, name)
		}
		p := o.Problem(at, "is the API server's, and left out of what is rendered", "")
		p.Position = o.LocateKey(at)
		p.Warning = true
		problems = append(problems, p)
	}
	return problems
}
