package resourcelist

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Result is one problem of an item.
type Result struct {
	Message     string       `yaml:"message"`
	Severity    string       `yaml:"severity"`
	ResourceRef *resourceRef `yaml:"resourceRef,omitempty"`
	Field       *fieldRef    `yaml:"field,omitempty"`
	File        *fileRef     `yaml:"file,omitempty"`
}

type resourceRef struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Name       string `yaml:"name"`
	Namespace  string `yaml:"namespace,omitempty"`
}

type fieldRef struct {
	Path string `yaml:"path"`
}

type fileRef struct {
	Path  string `yaml:"path"`
	Index int    `yaml:"index,omitempty"`
}

// ResultOf says what a problem is, and of which item, nil if of none.
func ResultOf(p schema.Problem, item *yaml.Node) Result {
	r := Result{Message: p.Message, Severity: "error"}
	if p.Warning {
		r.Severity = "warning"
	}
	if p.Hint != "" {
		r.Message += "; " + p.Hint
	}
	r.Message = report.Printable(r.Message)
	if p.Path != "" {
		r.Field = &fieldRef{report.Printable(p.Path)}
	}
	text := func(n *yaml.Node) string {
		if n == nil {
			return ""
		}
		return n.Value
	}
	metadata := fieldOf(item, "metadata")
	if fieldOf(item, "kind") != nil {
		r.ResourceRef = &resourceRef{
			text(fieldOf(item, "apiVersion")), text(fieldOf(item, "kind")), text(fieldOf(metadata, "name")), text(fieldOf(metadata, "namespace")),
		}
	}
	if path := origin(item, "path"); path != "" {
		r.File = &fileRef{Path: path}
		r.File.Index, _ = strconv.Atoi(origin(item, "index")) // 0 is the first, and may be left out
	}
	return r
}

// Line is a result as a person reads it: kustomize shows what a function prints.
func (r Result) Line(item string) string {
	text := r.Severity + ": " + item + ": "
	if ref := r.ResourceRef; ref != nil {
		text += strings.TrimSpace(ref.Kind+" "+ref.Name) + ": " // a List has no name
	}
	if r.Field != nil {
		text += r.Field.Path + ": "
	}
	return report.Printable(text + r.Message)
}

// origin is what kustomize and kpt note of where an object comes from: the path
// of the file, and the index of the document in it.
func origin(item *yaml.Node, what string) string {
	annotations := fieldOf(fieldOf(item, "metadata"), "annotations")
	for _, prefix := range []string{"internal.config.kubernetes.io/", "config.kubernetes.io/"} {
		if n := fieldOf(annotations, prefix+what); n != nil && n.Value != "" {
			return n.Value
		}
	}
	return ""
}
