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

// misspelt reports a field of a ValkeyCluster that is plainly meant to be the block.
func (t tree) misspelt() []schema.Problem {
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
