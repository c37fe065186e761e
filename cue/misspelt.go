package rules

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/stream"
	"github.com/valkey-expose/valkey-expose/yamledit"
)

// notCluster reports an object with the block that is no ValkeyCluster of the operator,
// though it is plainly meant to be one: it would be passed over in silence. Other
// operators' objects have a field of that name too.
func notCluster(o stream.Object, d schema.Document) []schema.Problem {
	block := o.Member("spec", "externalAccess")
	if block == nil || block.ShortTag() == "!!null" {
		return nil
	}
	if p := secondKind(o, d); p != nil {
		return []schema.Problem{*p}
	}
	group, _, _ := strings.Cut(d.APIVersion, "/")
	likeKind := alike(d.Kind, schema.Kind)
	likeGroup := d.APIVersion == "" || alike(group, schema.Group)
	switch {
	case likeKind && likeGroup && d.Kind != schema.Kind:
		return []schema.Problem{o.Problem("kind", fmt.Sprintf("is %s, and %s with external access is meant", orMissing(stream.Shorten(d.Kind)), schema.Kind), "")}
	case likeKind && likeGroup:
		return []schema.Problem{o.Problem("apiVersion", fmt.Sprintf("is %s, and one of %s with external access is meant", orMissing(stream.Shorten(d.APIVersion)), schema.Group), "")}
	case d.Kind == schema.Kind && block.Kind == yaml.MappingNode:
		p := o.Problem("apiVersion", fmt.Sprintf("is %s: nothing is rendered for a %s that is not of %s", stream.Shorten(d.APIVersion), schema.Kind, schema.Group), "")
		p.Warning = true
		return []schema.Problem{p}
	}
	return nil
}

// secondKind reports a kind or group of the operator's in a key that is given twice: the
// other one counts here, and other readers take the last or refuse both.
func secondKind(o stream.Object, d schema.Document) *schema.Problem {
	for i := 0; i+1 < len(o.Root.Content); i += 2 {
		key, value := o.Root.Content[i], stream.Resolve(o.Root.Content[i+1]).Value
		if key.Value == "kind" && value == schema.Kind && d.Kind != value || key.Value == "apiVersion" && value == schema.APIVersion && d.APIVersion != value {
			p := o.Problem(key.Value, "duplicate key, already set above", "")
			p.Position = o.Position(key)
			return &p
		}
	}
	return nil
}

// misspelt reports a field of a ValkeyCluster without the block that is plainly
// meant to be it.
func misspelt(o stream.Object) []schema.Problem {
	if p := misplaced(o, o.Root, "", 0); p != nil {
		return []schema.Problem{*p}
	}
	spec := o.Member("spec")
	if spec == nil || spec.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(spec.Content); i += 2 {
		if key := spec.Content[i]; alike(key.Value, "externalAccess") && stream.Resolve(spec.Content[i+1]).Kind == yaml.MappingNode {
			p := o.Problem(stream.JoinPath("spec", key.Value), "unknown field", `did you mean "externalAccess"?`)
			p.Position = o.Position(key)
			return []schema.Problem{p}
		}
	}
	return nil
}

// misplaced finds the block where it is not read: at another level, as one line
// indented too little or too far makes it, or under a second spec.
func misplaced(o stream.Object, n *yaml.Node, path string, depth int) *schema.Problem {
	if depth > stream.MaxDepth || n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		return nil
	}
	for i, value := range n.Content {
		at := path
		if n.Kind == yaml.SequenceNode {
			at = fmt.Sprintf("%s[%d]", path, i)
		} else if i%2 == 0 {
			continue
		} else if key := n.Content[i-1]; !yamledit.IsMergeKey(key) {
			at = stream.JoinPath(path, key.Value)
			if _, enabled := stream.Lookup(value, "enabled"); enabled != nil && path != "spec" && alike(key.Value, "externalAccess") {
				p := o.Problem(at, "is not read there: the block belongs into spec", "")
				p.Position = o.Position(key)
				return &p
			} else if enabled != nil && at == blockPath {
				p := o.Problem(at, "stands under a key that is given twice", "")
				p.Position = o.Position(key)
				return &p
			}
		}
		if p := misplaced(o, value, at, depth+1); p != nil {
			return p
		}
	}
	return nil
}

func orMissing(text string) string {
	if text == "" {
		return "missing"
	}
	return text
}
