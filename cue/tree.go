package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// maxDepth bounds the nesting of a ValkeyCluster. The operator's CRD has about
// 15 levels.
const maxDepth = 100

// tree is the YAML of one document, as the parser beneath CUE's own YAML
// decoder reads it. It tells where things stand, never what they mean: values
// are CUE's.
type tree struct {
	file string
	line int        // line of the document's first line, less 1
	root *yaml.Node // nil for a document without content
}

// parse reads the document of a chunk. The problem, if any, is a syntax error.
func parse(file string, c chunk) (tree, *schema.Problem) {
	t := tree{file: file, line: c.line - 1}
	var document yaml.Node
	err := yaml.Unmarshal(c.source, &document)
	if err != nil {
		p := t.syntaxError(err)
		return t, &p
	}
	if len(document.Content) > 0 {
		t.root = document.Content[0]
	}
	return t, nil
}

// yamlLine is the line that an error of the parser, or of CUE's decoder with the
// file's name left out, begins with.
var yamlLine = regexp.MustCompile(`^(?:line |:)(\d+): `)

// syntaxError gives the parser's error its place. Errors without a line are
// about the document.
func (t tree) syntaxError(err error) schema.Problem {
	p := schema.Problem{Position: schema.Position{File: t.file, Line: t.line + 1, Column: 1}}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		n, _ := strconv.Atoi(m[1])
		p.Line = t.line + n
		message = message[len(m[0]):]
	}
	p.Message = "YAML syntax: " + message
	return p
}

func (t tree) position(n *yaml.Node) schema.Position {
	return schema.Position{File: t.file, Line: t.line + n.Line, Column: n.Column}
}

// structure reports what makes a document unfit to be evaluated or unclear to
// readers: duplicate keys, and nesting without end.
func (t tree) structure() []schema.Problem {
	var problems []schema.Problem
	var walk func(n *yaml.Node, path string, depth int) bool
	walk = func(n *yaml.Node, path string, depth int) bool {
		if len(problems) >= maxFindings {
			return false
		}
		if depth > maxDepth {
			problems = append(problems, schema.Problem{
				Position: t.position(n),
				Message:  fmt.Sprintf("is nested more than %d levels deep", maxDepth),
			})
			return false
		}
		switch n.Kind {
		case yaml.MappingNode:
			first := make(map[string]*yaml.Node, len(n.Content)/2)
			for i := 0; i+1 < len(n.Content); i += 2 {
				key := n.Content[i]
				at := join(path, key.Value)
				if key.Kind == yaml.ScalarNode {
					if other := first[key.Value]; other != nil {
						problems = append(problems, schema.Problem{
							Position: t.position(key),
							Path:     at,
							Message:  fmt.Sprintf("duplicate key, already set on line %d", t.line+other.Line),
						})
					} else {
						first[key.Value] = key
					}
				}
				if !walk(n.Content[i+1], at, depth+1) {
					return false
				}
			}
		case yaml.SequenceNode:
			for i, element := range n.Content {
				if !walk(element, fmt.Sprintf("%s[%d]", path, i), depth+1) {
					return false
				}
			}
		}
		return true
	}
	walk(t.root, "", 1)
	return problems
}

// lookup finds a direct member of a mapping, looking through an alias; nil, nil
// if there is none.
func lookup(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// text is the value of a scalar found under the names, "" if there is none.
func (t tree) text(names ...string) string {
	n := t.root
	for _, name := range names {
		_, n = lookup(n, name)
	}
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}
