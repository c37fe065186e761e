package gen

import (
	"bytes"
	"slices"

	"github.com/valkey-expose/valkey-expose/manifest"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Base is a kustomize base, as it is written to a directory.
type Base struct {
	Files []File
	Plan  *schema.Plan // nil: no cluster is exposed
}

// Base renders the documents as a kustomize base. What the input has before the
// ValkeyCluster is applied first, the rest of it with the ValkeyCluster. Each kind
// of object has a file of its own, for the policy needs an administrator, and
// routes and policy need an API that a cluster may lack.
func (r *Rendering) Base() (Base, error) {
	var base Base
	all, err := r.parts(r.textInBase)
	if err != nil {
		return base, err
	}
	texts, err := write(all, manifest.YAML)
	if err != nil {
		return base, err
	}
	content := map[string]*bytes.Buffer{}
	for i, text := range texts {
		name := all[i].file
		if content[name] == nil {
			content[name] = &bytes.Buffer{}
		}
		appendDocument(content[name], all[i], text)
	}
	var resources, configurations []string
	for _, name := range Files() {
		if content[name] != nil {
			resources = append(resources, name)
		}
	}
	for _, d := range r.exposed() {
		base.Plan = &d.exposed.Plan
		if r.way.Component != nil {
			text, err := r.way.Component(d.exposed)
			if err != nil {
				return base, err
			}
			content[r.way.File] = bytes.NewBuffer(text)
		}
	}
	if base.Plan != nil {
		text, err := kustomizeConfig(r.way)
		if err != nil {
			return base, err
		}
		content[kustomizeConfigFile] = bytes.NewBuffer(text)
		configurations = []string{kustomizeConfigFile}
	}
	kustomization, err := kustomization(resources, configurations)
	if err != nil {
		return base, err
	}
	content[KustomizationFile] = bytes.NewBuffer(kustomization)

	for _, name := range Files() {
		if content[name] != nil {
			base.Files = append(base.Files, File{name, slices.Concat([]byte(Header), content[name].Bytes())})
		}
	}
	return base, nil
}

// textInBase is the text of a document of the input in a base. A
// ValkeyCluster that is not exposed gets its namespace as one that is, or it would
// be another object once it is exposed no more. A rendered file that is fed back
// brings our first line along; it has its own here.
func (r *Rendering) textInBase(d *document) []byte {
	text := d.text
	if d.IsCluster() && d.exposed == nil && d.Namespace == "" && r.options.Namespace != "" {
		text = withNamespace(text, r.options.Namespace)
	}
	for {
		first, rest, ok := bytes.Cut(text, []byte("\n"))
		if !ok || string(bytes.TrimSuffix(first, []byte("\r")))+"\n" != Header {
			return text
		}
		text = rest
	}
}
