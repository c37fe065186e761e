package stream

import (
	"fmt"

	"go.yaml.in/yaml/v3"
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
		size = min(size+e.size(c), maxValues+1)
		if e.loop != nil {
			return size
		}
	}
	if n.Anchor != "" {
		e.sizes[n] = size
	}
	return size
}

// endless finds aliases that never end, which no reader takes and CUE's dies of,
// or that end too late. It is nil if there are none.
func endless(root *yaml.Node) (at *yaml.Node, message string) {
	if !aliased(root) {
		return nil, ""
	}
	e := expansion{sizes: map[*yaml.Node]int{}, open: map[*yaml.Node]bool{}}
	size := e.size(root)
	switch {
	case e.loop != nil:
		return e.loop, fmt.Sprintf("anchor %q contains itself", Shorten(e.loop.Value))
	case size > maxValues:
		return root, "aliases expand to more than a million values"
	}
	return nil, ""
}

// CheckAliases is an error if a tree has no end, or too late a one, once its aliases
// are followed.
func CheckAliases(root *yaml.Node) error {
	if at, message := endless(root); at != nil {
		return fmt.Errorf("line %d: %s", at.Line, message)
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

// detach copies a tree with its aliases followed: what they refer to may stand in
// another object.
func detach(n *yaml.Node, left *int, depth int) (*yaml.Node, error) {
	if *left--; *left < 0 || depth > 10*MaxDepth {
		return nil, fmt.Errorf("aliases expand to more than can be written out")
	}
	if n.Kind == yaml.AliasNode {
		return detach(n.Alias, left, depth+1)
	}
	own := *n
	own.Anchor, own.Content = "", nil
	for _, c := range n.Content {
		inner, err := detach(c, left, depth+1)
		if err != nil {
			return nil, err
		}
		own.Content = append(own.Content, inner)
	}
	return &own, nil
}

// WithoutAliases replaces the aliases in objects by what they refer to, so that
// each stands for itself. Objects without one stay as they are.
func WithoutAliases(objects []*yaml.Node) ([]*yaml.Node, error) {
	left := maxValues // which ends an anchor that contains itself, too
	all := make([]*yaml.Node, len(objects))
	for i, n := range objects {
		all[i] = n
		if !aliased(n) {
			continue
		}
		var err error
		if all[i], err = detach(n, &left, 0); err != nil {
			return nil, err
		}
	}
	return all, nil
}
