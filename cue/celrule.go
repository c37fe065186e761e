package rules

import (
	"fmt"
	"regexp"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/literal"
)

// celRule is a rule about several fields as x-kubernetes-validations has it.
type celRule struct {
	path      string // such as spec.shards; "" for one that the rules work out
	condition string // what must not be, in CEL over self
	message   ast.Expr
	ofRoot    bool     // reads metadata, so self is the whole object, else its spec
	reasons   []string // why the rule, or a part of it, has no CEL
}

// celRules collects the rules of #ValkeyCluster in their order. Each must have
// its CEL beside it, or the reason why it has none.
func (s source) celRules() ([]celRule, error) {
	problems := s.member("#ValkeyCluster", "_problem")
	if problems == nil {
		return nil, fmt.Errorf("#ValkeyCluster has no _problem")
	}
	var all []celRule
	for _, d := range problems.Elts {
		c, ok := d.(*ast.Comprehension)
		if !ok {
			return nil, fmt.Errorf("%v: a rule is a condition and an error", d.Pos())
		}
		r, err := s.celRule(c)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", c.Pos(), err)
		}
		all = append(all, r)
	}
	return all, nil
}

func (s source) celRule(c *ast.Comprehension) (celRule, error) {
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
	for _, body := range attributes("nocel", beside...) {
		reason, err := literal.Unquote(body)
		if err != nil || reason == "" {
			return r, fmt.Errorf("@nocel(%s) has no reason in quotes", body)
		}
		r.reasons = append(r.reasons, reason)
	}
	conditions := attributes("cel", beside...)
	switch {
	case len(conditions) > 1:
		return r, fmt.Errorf("a rule has one @cel, not %d", len(conditions))
	case len(conditions) == 1:
		text, err := s.expand(conditions[0])
		if err != nil {
			return r, err
		}
		r.ofRoot = metadata.MatchString(text)
		r.condition = r.self(text)
	case len(r.reasons) == 0:
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

var (
	// A name of the module in CEL: of the view, or of a definition.
	moduleName = regexp.MustCompile(`_view(\.[A-Za-z]+)+|#[A-Za-z]+`)
	metadata   = regexp.MustCompile(`(^|[^.\w'])metadata\b`)
	spec       = regexp.MustCompile(`(^|[^.\w'])spec\b`)
)

// expand puts CEL in the place of the module's names.
func (s source) expand(text string) (string, error) {
	var failed error
	expanded := moduleName.ReplaceAllStringFunc(text, func(name string) string {
		if strings.HasPrefix(name, "#") {
			if value, ok := s.text(name); ok {
				return celString(value)
			}
		}
		// Of _view.config.exists, the last is a function.
		for end := len(name); end > len("_view"); end = strings.LastIndexByte(name[:end], '.') {
			if cel, ok := viewCEL(s.member("#View", "_view"), strings.Split(name[:end], ".")[1:]); ok {
				inner, err := s.expand(cel)
				if err != nil {
					failed = err
				}
				if strings.Contains(inner, " ") {
					inner = "(" + inner + ")"
				}
				return inner + name[end:]
			}
		}
		failed = fmt.Errorf("%s has no CEL", name)
		return name
	})
	return expanded, failed
}

// viewCEL is the CEL beside a field of the view, in whichever branch it stands.
func viewCEL(view ast.Expr, path []string) (string, bool) {
	structure, ok := view.(*ast.StructLit)
	if !ok {
		return "", false
	}
	for _, d := range structure.Elts {
		switch d := d.(type) {
		case *ast.Comprehension:
			if cel, ok := viewCEL(d.Value, path); ok {
				return cel, true
			}
		case *ast.Field:
			if label(d) != path[0] {
				continue
			}
			if len(path) > 1 {
				return viewCEL(d.Value, path[1:])
			}
			if cel := attributes("cel", d.Attrs...); len(cel) == 1 {
				return cel[0], true
			}
		}
	}
	return "", false
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
func (s source) validation(r celRule) (map[string]any, error) {
	v := map[string]any{"rule": fmt.Sprintf("!has(%s) || !(%s)", r.self("spec.externalAccess"), r.condition)}
	if path, ok := strings.CutPrefix(r.path, "spec."); ok && !r.ofRoot {
		v["fieldPath"] = "." + path
	}
	if err := s.putMessage(v, r.message); err != nil {
		return nil, err
	}
	if text, ok := v["messageExpression"].(string); ok {
		v["messageExpression"] = r.self(text)
	}
	return v, nil
}

// putMessage gives a rule the text of its error(...), as CEL where it has
// numbers of the cluster in it.
func (s source) putMessage(v map[string]any, message ast.Expr) error {
	switch m := message.(type) {
	case *ast.BasicLit:
		text, err := literal.Unquote(m.Value)
		v["message"] = text
		return err
	case *ast.Interpolation:
		cel, err := s.interpolation(m)
		v["messageExpression"] = cel
		return err
	}
	return fmt.Errorf("a rule has no error(...) with a text")
}

func (s source) interpolation(m *ast.Interpolation) (string, error) {
	first, last := m.Elts[0].(*ast.BasicLit).Value, m.Elts[len(m.Elts)-1].(*ast.BasicLit).Value
	quotes, skip, _, err := literal.ParseQuotes(first, last)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	var numbers []string
	for i, element := range m.Elts {
		if piece, ok := element.(*ast.BasicLit); ok && i%2 == 0 {
			plain, err := quotes.Unquote(piece.Value[skip:])
			if err != nil {
				return "", err
			}
			text.WriteString(strings.ReplaceAll(plain, "%", "%%"))
			skip = 1 // the parenthesis behind an expression
			continue
		}
		expression, err := format.Node(element)
		if err != nil {
			return "", err
		}
		cel, err := s.expand(string(expression))
		if err != nil {
			return "", err
		}
		text.WriteString("%d")
		numbers = append(numbers, cel)
	}
	// Of strings joined with +, the API server cannot estimate the cost.
	return fmt.Sprintf("%s.format([%s])", celString(text.String()), strings.Join(numbers, ", ")), nil
}

// celString is a text as a literal of CEL.
func celString(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}
