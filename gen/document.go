package gen

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/plan"
	"github.com/valkey-expose/valkey-expose/schema"
)

// document is one of the input, and what follows from it.
type document struct {
	schema.Document
	exposed *plan.Exposed // nil without external access

	// text is the document as it is rendered, nil inside a List that is kept whole;
	// err says why it cannot be.
	text []byte
	err  error

	// Of an exposed cluster, once they are asked for.
	announce *corev1.ConfigMap
	objects  *objectParts
}

// problem is one at a field of the document.
func (d *document) problem(path, message, hint string) schema.Problem {
	p := schema.Problem{Position: d.Locate(path), Path: path, Message: message, Hint: hint}
	if d.Within != "" {
		p.Path = d.Within + "." + path
	}
	return p
}

// part is one document of the output: a rendered object, or text of the input.
type part struct {
	file  string // of a directory
	value any    // the object
	text  []byte // if value is nil
}

// objectParts are the objects of an exposed cluster, in the order of applying.
type objectParts struct {
	before, after []part // the ValkeyCluster
}
