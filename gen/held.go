package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/gen/transition"
	"github.com/valkey-expose/valkey-expose/stream"
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
	others := slices.DeleteFunc(objectFiles(), func(name string) bool { return slices.Contains(inputs, name) })
	for _, name := range slices.Concat(inputs, others) {
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
func heldBy(text []byte) ([]transition.Object, error) {
	all, err := objectsOf(text)
	if err != nil && bytes.IndexByte(text, '\t') >= 0 { // JSON that is indented with tabs
		return objectsOf(bytes.ReplaceAll(text, []byte("\t"), []byte(" ")))
	}
	return all, err
}

func objectsOf(text []byte) ([]transition.Object, error) {
	var all []transition.Object
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		for _, root := range document.Content {
			if err := stream.CheckAliases(root); err != nil {
				return nil, err
			}
			all = appendHeld(all, root)
		}
	}
}

// appendHeld adds an object, or those of a List. What has no kind or name is none.
func appendHeld(all []transition.Object, n *yaml.Node) []transition.Object {
	kind := textOf(n, "kind")
	_, items := stream.Lookup(n, "items")
	if items = stream.Resolve(items); items != nil && items.Kind == yaml.SequenceNode && strings.HasSuffix(kind, "List") {
		for _, item := range items.Content {
			all = appendHeld(all, item)
		}
		return all
	}
	group, _, found := strings.Cut(textOf(n, "apiVersion"), "/")
	if !found { // v1
		group = ""
	}
	_, metadata := stream.Lookup(n, "metadata")
	o := transition.Object{Group: group, Kind: kind, Namespace: textOf(metadata, "namespace"), Name: textOf(metadata, "name")}
	if o.Kind == "" || o.Name == "" {
		return all
	}
	return append(all, o)
}

// textOf is the text of a scalar member, "" for null and for what is none.
func textOf(n *yaml.Node, name string) string {
	_, value := stream.Lookup(n, name)
	if value = stream.Resolve(value); value == nil || value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null" {
		return ""
	}
	return value.Value
}
