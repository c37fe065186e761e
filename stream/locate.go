package stream

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// JoinPath appends a key to a path, in the notation of Kubernetes' field paths:
// spec.config[some.key].
func JoinPath(path, key string) string {
	switch {
	case !plainKey.MatchString(key):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// Locate finds the place of a field: the value of a scalar, the key of anything
// else. A field that does not exist is found at the closest parent that does.
func (o Object) Locate(path string) schema.Position {
	at, _ := o.find(path)
	return at
}

// LocateKey is Locate for problems that are about the key itself.
func (o Object) LocateKey(path string) schema.Position {
	_, key := o.find(path)
	return key
}

func (o Object) find(path string) (value, key schema.Position) {
	value = o.Position(o.Root)
	key = value
	n := o.Root
	for path != "" {
		k, v, rest := step(Resolve(n), path, 0)
		if v == nil {
			break
		}
		key = o.Position(k)
		value = key
		if v.Kind == yaml.AliasNode || v.Kind == yaml.ScalarNode && v.Value != "" && v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			value = o.Position(v)
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
		if value == nil && depth < MaxDepth {
			for _, inner := range merged(n) {
				if key, value, rest = step(Resolve(inner), path, depth+1); value != nil {
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

// Problem is a problem at the place of a field of the object.
func (o Object) Problem(path, message, hint string) schema.Problem {
	return schema.Problem{Position: o.Locate(path), Path: path, Message: message, Hint: hint}
}
