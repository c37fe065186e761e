package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/gen/transition"
)

// lost lists the objects of the input that one rendering of a directory holds
// and the next does not, wherever that has them: in the same namespace, under the
// same name. One without a namespace is in that of the pipeline, which is not
// known here, and so is no other than one without.
func lost(have, want []File) ([]transition.Object, error) {
	inputs := []string{clusterFile, firstFile}
	var gone []transition.Object
	for _, name := range inputs {
		before := TextOf(have, name)
		if bytes.Equal(before, TextOf(want, name)) {
			continue
		}
		objects, err := heldBy(before)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		gone = append(gone, objects...)
	}
	for _, name := range append(inputs, inject.PolicyFile, announceFile, servicesFile, routesFile, readbackFile, jobFile) {
		if len(gone) == 0 {
			break // the rest, which is long, need not be read
		}
		objects, err := heldBy(TextOf(want, name))
		if err != nil {
			return nil, fmt.Errorf("what would be written: %s: %w", name, err)
		}
		gone = slices.DeleteFunc(gone, func(o transition.Object) bool { return slices.Contains(objects, o) })
	}
	return gone, nil
}

// heldBy reads which objects a stream of documents holds, those of Lists
// included.
func heldBy(stream []byte) ([]transition.Object, error) {
	all, err := objectsOf(stream)
	if err != nil && bytes.IndexByte(stream, '\t') >= 0 { // JSON that is indented with tabs
		return objectsOf(bytes.ReplaceAll(stream, []byte("\t"), []byte(" ")))
	}
	return all, err
}

func objectsOf(stream []byte) ([]transition.Object, error) {
	var all []transition.Object
	for decoder := yaml.NewDecoder(bytes.NewReader(stream)); ; {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		for _, root := range document.Content {
			all = appendHeld(all, root)
		}
	}
}

// appendHeld adds an object, or those of a List. What has no kind or name is none.
// No alias is followed to a List, for one may lead back to where it stands.
func appendHeld(all []transition.Object, n *yaml.Node) []transition.Object {
	kind := plainText(member(n, "kind"))
	if items := member(n, "items"); items != nil && items.Kind == yaml.SequenceNode && strings.HasSuffix(kind, "List") {
		for _, item := range items.Content {
			all = appendHeld(all, item)
		}
		return all
	}
	group, _, found := strings.Cut(plainText(member(n, "apiVersion")), "/")
	if !found { // v1
		group = ""
	}
	metadata := followed(member(n, "metadata"))
	o := transition.Object{
		Group: group, Kind: kind,
		Namespace: plainText(member(metadata, "namespace")), Name: plainText(member(metadata, "name")),
	}
	if o.Kind == "" || o.Name == "" {
		return all
	}
	return append(all, o)
}

// member is a mapping's member by name, its own or one that is merged into it;
// nil if there is none.
func member(n *yaml.Node, name string) *yaml.Node {
	found := ownMember(n, name)
	merged := followed(ownMember(n, "<<"))
	switch {
	case found != nil || merged == nil:
		return found
	case merged.Kind != yaml.SequenceNode:
		return ownMember(merged, name)
	}
	for _, from := range merged.Content {
		if found := ownMember(followed(from), name); found != nil {
			return found
		}
	}
	return nil
}

func ownMember(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func followed(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// plainText is a scalar's text, "" for null and for what is none.
func plainText(n *yaml.Node) string {
	if n = followed(n); n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}
