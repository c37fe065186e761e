package rules

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// expansion counts the values of a tree with its aliases followed, merge keys
// included.
type expansion struct {
	sizes map[*yaml.Node]int  // of anchors
	open  map[*yaml.Node]bool // anchors around the node at hand
	loop  *yaml.Node          // an alias of an anchor around it
}

func (e *expansion) size(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		if e.open[n.Alias] {
			e.loop = n
			return 0
		}
		return e.size(n.Alias)
	}
	if n.Anchor != "" {
		if size, known := e.sizes[n]; known {
			return size
		}
		e.open[n] = true
		defer delete(e.open, n)
	}
	size := 1
	for _, c := range n.Content {
		size = min(size+e.size(c), maxNodes+1)
		if e.loop != nil {
			return size
		}
	}
	if n.Anchor != "" {
		e.sizes[n] = size
	}
	return size
}

// expand reports aliases that never end, which no reader takes and CUE's dies of,
// or that end too late.
func (t tree) expand() *schema.Problem {
	if t.root == nil || !aliased(t.root) {
		return nil
	}
	e := expansion{sizes: map[*yaml.Node]int{}, open: map[*yaml.Node]bool{}}
	size := e.size(t.root)
	switch {
	case e.loop != nil:
		return &schema.Problem{Position: t.shift(e.loop.Line, e.loop.Column), Message: fmt.Sprintf("YAML syntax: anchor %q contains itself", shorten(e.loop.Value))}
	case size > maxNodes:
		return &schema.Problem{Position: t.shift(t.root.Line, t.root.Column), Message: "YAML syntax: aliases expand to more than a million values"}
	}
	return nil
}

// aliased reports whether there is an alias in a tree.
func aliased(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	for _, c := range n.Content {
		if aliased(c) {
			return true
		}
	}
	return false
}
