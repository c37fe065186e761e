package objects

import (
	"testing"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// TestServiceAnnotations: placeholders are filled in, a doubled brace is a brace,
// and what is filled in is not read again.
func TestServiceAnnotations(t *testing.T) {
	x := plan.Of(&schema.Cluster{
		Name: "orders", Namespace: "shop", Shards: 11,
		ExternalAccess: &schema.ExternalAccess{Enabled: true, Domain: "example.com", ServiceAnnotations: map[string]string{}},
	}, plan.Defaults())
	for value, want := range map[string]string{
		"":          "",
		"plain, $1": "plain, $1",
		"{cluster}/{namespace}/{shard}/{hostname}": "orders/shop/10/shard-10.example.com",
		"{cluster}{shard}":                         "orders10",
		"{{cluster}}":                              "{cluster}",
		"{{{cluster}}}":                            "{orders}",
		"{{{{cluster}}}}":                          "{{cluster}}",
		"{{{{{cluster}}}}}":                        "{{orders}}",
		"}}{{":                                     "}{",
		"{cluster}}}":                              "orders}",
		"{{{shard}":                                "{10",
		`{{"shard": {shard}, "of": {{"a": "\n"}}}}`: `{"shard": 10, "of": {"a": "\n"}}`,
		"${cluster}":            "$orders",
		"line {shard}\nline {{": "line 10\nline {",
	} {
		x.Cluster.ExternalAccess.ServiceAnnotations["a"] = value
		if got := ServiceAnnotations(x, x.Plan.Nodes[10])["a"]; got != want {
			t.Errorf("%q becomes %q, want %q", value, got, want)
		}
	}
}
