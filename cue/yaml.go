package rules

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// maxValues bounds the values of a ValkeyCluster, as CUE reads them all.
const maxValues = 50_000

// yamlProblems reports what makes a document unfit to be evaluated or unclear to
// readers: duplicate keys, nesting without end, numbers that no reader takes,
// and strings that some take for booleans. Of such strings in the block, which is
// apart, the rules know whether a string may stand there.
func yamlProblems(o stream.Object) (problems, inBlock []schema.Problem) {
	c := yamlCheck{object: o}
	c.walk(o.Root, "", 1)
	return c.problems, c.inBlock
}

type yamlCheck struct {
	object            stream.Object
	values            int
	problems, inBlock []schema.Problem
}

func (c *yamlCheck) report(n *yaml.Node, path, message, hint string) {
	c.problems = append(c.problems, schema.Problem{Position: c.object.Position(n), Path: path, Message: message, Hint: hint})
}

// walk is false if there is no use in looking any further.
func (c *yamlCheck) walk(n *yaml.Node, path string, depth int) bool {
	if len(c.problems)+len(c.inBlock) >= maxFindings {
		return false
	}
	if c.values++; c.values > maxValues {
		c.report(c.object.Root, "", fmt.Sprintf("holds more than %d values", maxValues), "")
		return false
	}
	if depth > stream.MaxDepth {
		c.report(n, "", fmt.Sprintf("is nested more than %d levels deep", stream.MaxDepth), "")
		return false
	}
	switch n.Kind {
	case yaml.MappingNode:
		first := make(map[string]*yaml.Node, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			at := stream.JoinPath(path, key.Value)
			if yamledit.IsMergeKey(key) {
				at = path
			} else if key.Kind == yaml.ScalarNode {
				if other := first[key.Value]; other != nil {
					line := c.object.Position(other).Line
					c.report(key, at, fmt.Sprintf("duplicate key, already set on line %d", line), "")
				} else {
					first[key.Value] = key
				}
				c.boolean(key, at)
			}
			if !c.walk(n.Content[i+1], at, depth+1) {
				return false
			}
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			if !c.walk(element, fmt.Sprintf("%s[%d]", path, i), depth+1) {
				return false
			}
		}
	case yaml.ScalarNode:
		c.number(n, path)
		c.boolean(n, path)
		c.unquoted(n, path)
	}
	return true
}

// unquoted reports a number or boolean where the API server takes a string alone.
// The rules know nothing of these fields.
func (c *yamlCheck) unquoted(n *yaml.Node, path string) {
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool":
		if uncheckedPath.MatchString(path) {
			c.report(n, path, fmt.Sprintf("is %s without quotes, and must be a string", stream.Shorten(n.Value)), fmt.Sprintf("write %q", stream.Shorten(n.Value)))
		}
	}
}

// number reports what YAML takes for a number and JSON, which the API server is
// sent, cannot hold: infinity, no number, and an integer of more than 64 bits.
func (c *yamlCheck) number(n *yaml.Node, path string) {
	if n.ShortTag() != "!!float" {
		return
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	f, err := strconv.ParseFloat(strings.Replace(strings.ToLower(text), ".inf", "inf", 1), 64)
	switch {
	case strings.EqualFold(text, ".nan") || math.IsInf(f, 0):
		c.report(n, path, fmt.Sprintf("is %s, a number that an API server does not take", stream.Shorten(n.Value)), "")
	case err == nil && !strings.ContainsAny(text, ".eE"):
		c.report(n, path, fmt.Sprintf("is %s, more than the 64 bits that an integer has", stream.Shorten(n.Value)), "")
	}
}

// boolean reports a string without quotes that kubectl, which reads YAML 1.1,
// sends as a boolean: the API server refuses it as a string.
func (c *yamlCheck) boolean(n *yaml.Node, path string) {
	if n.Style&^yaml.FlowStyle != 0 || n.ShortTag() != "!!str" || !boolean11.MatchString(n.Value) {
		return
	}
	p := schema.Problem{
		Position: c.object.Position(n), Path: path,
		Message: fmt.Sprintf("is %s without quotes, which kubectl takes for a boolean", n.Value), Hint: fmt.Sprintf("write %q", n.Value),
	}
	switch {
	case strings.HasPrefix(path, blockPath+"."):
		c.inBlock = append(c.inBlock, p)
	case stringPath.MatchString(path):
		c.problems = append(c.problems, p)
	}
}

// blockPath is where the block stands.
const blockPath = "spec.externalAccess"

// boolean11 matches what is a boolean in YAML 1.1 and a string in YAML 1.2.
var boolean11 = regexp.MustCompile(`^([yY]|yes|Yes|YES|on|On|ON|[nN]|no|No|NO|off|Off|OFF)$`)

// unchecked is what the API server takes as a string alone, and no rule says so.
const unchecked = `(metadata\.(labels|annotations)|spec\.config)[.\[].*` +
	`|spec\.image` +
	`|spec\.containers\[\d+\]\.(name|image|(args|command)\[\d+\]|env\[\d+\]\.(name|value))` +
	`|spec\.networking\.tls\.serverName` +
	`|spec\.(networking\.)?tls\.certificate(s\.server)?\.secretName`

var (
	uncheckedPath = regexp.MustCompile(`^(` + unchecked + `)$`)
	// stringPath is what outside the block the program knows to be a string: names, the
	// values and keys of maps of strings, and fields that it reads.
	stringPath = regexp.MustCompile(`^(` + unchecked + `|metadata\.(name|namespace)|spec\.workloadType|spec\.networking\.clusterDomain)$`)
)
