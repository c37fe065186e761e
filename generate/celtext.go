package main

import (
	"fmt"
	"regexp"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/literal"
)

var (
	// A name of the module in CEL: of the view, or of a definition.
	moduleName = regexp.MustCompile(`_view(\.[A-Za-z]+)+|#[A-Za-z]+`)
	metadata   = regexp.MustCompile(`(^|[^.\w'])metadata\b`)
	spec       = regexp.MustCompile(`(^|[^.\w'])spec\b`)
)

// expand puts CEL in the place of the module's names.
func (m module) expand(text string) (string, error) {
	var failed error
	expanded := moduleName.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := m.text(name); ok {
			return celString(value)
		}
		// Of _view.config.exists, the last is a function.
		for end := len(name); end > len("_view"); end = strings.LastIndexByte(name[:end], '.') {
			if cel, ok := m.viewCEL(name[:end]); ok {
				inner, err := m.expand(cel)
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

// putMessage gives a rule the text of its error(...), as CEL where it has
// integers of the cluster in it.
func (m module) putMessage(v map[string]any, message ast.Expr) error {
	switch x := message.(type) {
	case *ast.BasicLit:
		text, err := literal.Unquote(x.Value)
		v["message"] = text
		return err
	case *ast.Interpolation:
		cel, err := m.interpolation(x)
		v["messageExpression"] = cel
		return err
	}
	return fmt.Errorf("a rule has no error(...) with a text")
}

func (m module) interpolation(x *ast.Interpolation) (string, error) {
	first, last := x.Elts[0].(*ast.BasicLit).Value, x.Elts[len(x.Elts)-1].(*ast.BasicLit).Value
	quotes, skip, _, err := literal.ParseQuotes(first, last)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	var numbers []string
	for i, element := range x.Elts {
		if piece, ok := element.(*ast.BasicLit); ok && i%2 == 0 {
			plain, err := quotes.Unquote(piece.Value[skip:])
			if err != nil {
				return "", err
			}
			text.WriteString(strings.ReplaceAll(plain, "%", "%%"))
			skip = 1 // the parenthesis behind an expression
			continue
		}
		if !m.isInteger(element) {
			return "", fmt.Errorf("%v: the text has a value that is not known to be an integer, which %%d in CEL needs", element.Pos())
		}
		expression, err := format.Node(element)
		if err != nil {
			return "", err
		}
		cel, err := m.expand(string(expression))
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
