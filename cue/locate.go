package rules

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// join appends a key to a path, in the notation of Kubernetes' field paths:
// spec.config[some.key].
func join(path, key string) string {
	switch {
	case !plainKey.MatchString(key):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// locate finds the place of a field: the value of a scalar, the key of anything
// else. A field that does not exist is found at the closest parent that does.
func (t tree) locate(path string) schema.Position {
	at, _ := t.find(path)
	return at
}

// locateKey is locate for problems that are about the key itself.
func (t tree) locateKey(path string) schema.Position {
	_, key := t.find(path)
	return key
}

func (t tree) find(path string) (value, key schema.Position) {
	value = t.position(t.root)
	key = value
	n := t.root
	for path != "" {
		k, v, rest := step(resolve(n), path, 0)
		if v == nil {
			break
		}
		key = t.position(k)
		value = key
		if v.Kind == yaml.AliasNode || v.Kind == yaml.ScalarNode && v.Value != "" && v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			value = t.position(v)
		}
		n, path = v, rest
	}
	if path != "" {
		value = key
	}
	return value, key
}

// step goes down one level: the longest key, or the index, that the path begins
// with. An element of a list is its own key.
func step(n *yaml.Node, path string, depth int) (key, value *yaml.Node, rest string) {
	switch n.Kind {
	case yaml.MappingNode:
		longest := -1
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			for _, form := range []string{name, "." + name, "[" + name + "]"} {
				tail, ok := strings.CutPrefix(path, form)
				if ok && len(name) > longest && (tail == "" || tail[0] == '.' || tail[0] == '[') {
					longest = len(name)
					key, value, rest = n.Content[i], n.Content[i+1], tail
				}
			}
		}
		if value == nil && depth < maxDepth {
			for _, source := range merged(n) {
				if key, value, rest = step(resolve(source), path, depth+1); value != nil {
					break
				}
			}
		}
	case yaml.SequenceNode:
		index, tail, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
		i, err := strconv.Atoi(index)
		if ok && err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i], tail
		}
	}
	return key, value, rest
}

// locator finds places in a file. Of its documents it keeps the last, as a tree
// takes many times the space of the text: places are asked for one document
// after the other, and only of one with a problem.
type locator struct {
	file   string
	source []byte
	tree   tree
}

func (l *locator) parse(c chunk) (tree, *schema.Problem) {
	if len(l.source) == len(c.source) && &l.source[0] == &c.source[0] {
		return l.tree, nil
	}
	l.source, l.tree = nil, tree{} // two at once are not needed
	t, problem := parse(l.file, c)
	if problem == nil {
		t.place = func(object string) func(string) schema.Position {
			return func(path string) schema.Position {
				t, _ := l.parse(c) // as it was parsed before
				return t.locate(within(object, path))
			}
		}
		l.source, l.tree = c.source, t
	}
	return t, problem
}
