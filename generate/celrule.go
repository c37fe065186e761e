package main

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
)

// celRule is a rule about several fields as x-kubernetes-validations has it.
type celRule struct {
	path      string // such as spec.shards; "" for one that the rules work out
	condition string // what must not be, in CEL over self; "" if it has a reason to have none
	message   ast.Expr
	ofRoot    bool // reads metadata, so self is the whole object, else its spec
}

// celRules collects the rules of #ValkeyCluster in their order. Each must have
// its CEL beside it, or the reason why it has none.
func (m module) celRules() ([]celRule, error) {
	problems := m.member("#ValkeyCluster", "_problem")
	if problems == nil {
		return nil, fmt.Errorf("#ValkeyCluster has no _problem")
	}
	var all []celRule
	for _, d := range problems.Elts {
		c, ok := d.(*ast.Comprehension)
		if !ok {
			return nil, fmt.Errorf("%v: a rule is a condition and an error", d.Pos())
		}
		r, err := m.celRule(c)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", c.Pos(), err)
		}
		all = append(all, r)
	}
	return all, nil
}

func (m module) celRule(c *ast.Comprehension) (celRule, error) {
	fields := fieldsOf(c.Value)
	if len(fields) != 1 {
		return celRule{}, fmt.Errorf("a rule has one field, not %d", len(fields))
	}
	r := celRule{path: pathOf(fields[0])}
	message, ok := errorText(fields[0].Value)
	if !ok {
		return r, fmt.Errorf("a rule ends in error(...)")
	}
	r.message = message
	beside := inside(c.Value)
	reasons := attributes("nocel", beside...)
	for _, body := range reasons {
		reason, err := literal.Unquote(body)
		if err != nil || reason == "" {
			return r, fmt.Errorf("@nocel(%s) has no reason in quotes", body)
		}
	}
	conditions := attributes("cel", beside...)
	switch {
	case len(conditions) > 1:
		return r, fmt.Errorf("a rule has one @cel, not %d", len(conditions))
	case len(conditions) == 1:
		text, err := m.expand(conditions[0])
		if err != nil {
			return r, err
		}
		r.ofRoot = metadata.MatchString(text)
		r.condition = r.self(text)
	case len(reasons) == 0:
		return r, fmt.Errorf("the rule has neither @cel nor @nocel")
	}
	return r, nil
}

// pathOf is the path a rule is reported at, up to a key that depends on the data.
func pathOf(f *ast.Field) string {
	if name := label(f); name != "" {
		return name
	}
	if i, ok := f.Label.(*ast.Interpolation); ok {
		start, _, _ := strings.Cut(i.Elts[0].(*ast.BasicLit).Value, "[")
		return strings.Trim(start, `"`)
	}
	return ""
}

// self names the object as CEL does at the rule's place.
func (r celRule) self(text string) string {
	if r.ofRoot {
		text = metadata.ReplaceAllString(text, "${1}self.metadata")
		return spec.ReplaceAllString(text, "${1}self.spec")
	}
	return spec.ReplaceAllString(text, "${1}self")
}

// validation is the rule as an entry of x-kubernetes-validations. A cluster
// without the block is never held to it.
func (m module) validation(r celRule) (map[string]any, error) {
	v := map[string]any{"rule": fmt.Sprintf("!has(%s) || !(%s)", r.self("spec.externalAccess"), r.condition)}
	if path, ok := strings.CutPrefix(r.path, "spec."); ok && !r.ofRoot {
		v["fieldPath"] = "." + path
	}
	if err := m.putMessage(v, r.message); err != nil {
		return nil, err
	}
	if text, ok := v["messageExpression"].(string); ok {
		v["messageExpression"] = r.self(text)
	}
	return v, nil
}
