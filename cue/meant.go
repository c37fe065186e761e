package rules

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// meant reports an object with the block that is no ValkeyCluster of the operator,
// though it is plainly meant to be one: it would be passed over in silence. Other
// operators' objects have a field of that name too.
func (t tree) meant(d schema.Document) []schema.Problem {
	block := t.member("spec", "externalAccess")
	if block == nil || block.ShortTag() == "!!null" {
		return nil
	}
	if p := t.given(d); p != nil {
		return []schema.Problem{*p}
	}
	group, _, _ := strings.Cut(d.APIVersion, "/")
	likeKind := alike(d.Kind, schema.Kind)
	likeGroup := d.APIVersion == "" || alike(group, schema.Group)
	switch {
	case likeKind && likeGroup && d.Kind != schema.Kind:
		return []schema.Problem{t.problem("kind", fmt.Sprintf("is %s, and %s with external access is meant", orMissing(shorten(d.Kind)), schema.Kind), "")}
	case likeKind && likeGroup:
		return []schema.Problem{t.problem("apiVersion", fmt.Sprintf("is %s, and one of %s with external access is meant", orMissing(shorten(d.APIVersion)), schema.Group), "")}
	case d.Kind == schema.Kind && block.Kind == yaml.MappingNode:
		p := t.problem("apiVersion", fmt.Sprintf("is %s: nothing is rendered for a %s that is not of %s", shorten(d.APIVersion), schema.Kind, schema.Group), "")
		p.Warning = true
		return []schema.Problem{p}
	}
	return nil
}

// given reports a kind or group of the operator's in a key that is given twice: the
// other one counts here, and other readers take the last or refuse both.
func (t tree) given(d schema.Document) *schema.Problem {
	for i := 0; i+1 < len(t.root.Content); i += 2 {
		key, value := t.root.Content[i], resolve(t.root.Content[i+1]).Value
		if key.Value == "kind" && value == schema.Kind && d.Kind != value || key.Value == "apiVersion" && value == schema.APIVersion && d.APIVersion != value {
			p := t.problem(key.Value, "duplicate key, already set above", "")
			p.Position = t.position(key)
			return &p
		}
	}
	return nil
}

// misspelt reports a field of a ValkeyCluster without the block that is plainly
// meant to be it.
func (t tree) misspelt() []schema.Problem {
	if p := t.misplaced(t.root, "", 0); p != nil {
		return []schema.Problem{*p}
	}
	spec := t.member("spec")
	if spec == nil || spec.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(spec.Content); i += 2 {
		if key := spec.Content[i]; alike(key.Value, "externalAccess") && resolve(spec.Content[i+1]).Kind == yaml.MappingNode {
			p := t.problem(join("spec", key.Value), "unknown field", `did you mean "externalAccess"?`)
			p.Position = t.position(key)
			return []schema.Problem{p}
		}
	}
	return nil
}

// misplaced finds the block where it is not read: at another level, as one line
// indented too little or too far makes it, or under a second spec.
func (t tree) misplaced(n *yaml.Node, path string, depth int) *schema.Problem {
	if depth > maxDepth || n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		return nil
	}
	for i, value := range n.Content {
		at := path
		if n.Kind == yaml.SequenceNode {
			at = fmt.Sprintf("%s[%d]", path, i)
		} else if i%2 == 0 {
			continue
		} else if key := n.Content[i-1]; !merges(key) {
			at = join(path, key.Value)
			if _, enabled := lookup(value, "enabled"); enabled != nil && path != "spec" && alike(key.Value, "externalAccess") {
				p := t.problem(at, "is not read there: the block belongs into spec", "")
				p.Position = t.position(key)
				return &p
			} else if enabled != nil && at == "spec.externalAccess" {
				p := t.problem(at, "stands under a key that is given twice", "")
				p.Position = t.position(key)
				return &p
			}
		}
		if p := t.misplaced(value, at, depth+1); p != nil {
			return p
		}
	}
	return nil
}

// alike reports whether a name is another but for upper case and two letters.
func alike(written, name string) bool {
	return len(written) <= len(name)+2 && edits(strings.ToLower(written), strings.ToLower(name)) <= 2
}

func orMissing(text string) string {
	if text == "" {
		return "missing"
	}
	return text
}
