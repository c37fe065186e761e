package gen

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// The marker is an environment variable of the server's container, there as
// long as external access is on. Its arrival makes the operator roll the pods
// once, in its own order, so that they are created under the policy; its
// leaving rolls them again. It is the same for every setting.
const markerValue = "enabled"

// container and envVar are what of a container the marker needs.
type container struct {
	Name string   `yaml:"name" json:"name"`
	Env  []envVar `yaml:"env" json:"env"`
}

type envVar struct {
	Name  string `yaml:"name" json:"name"`
	Value string `yaml:"value" json:"value"`
}

var errNotPlain = errors.New("cannot be edited in place: the document has anchors, aliases, merge keys, complex keys or another " + schema.Marker + " there")

// valkeyCluster is the text of a cluster's document as it is rendered: the
// input, less the block, which no released CRD has, unless it is to be kept. Of
// an exposed cluster the status goes too; the namespace and the marker come. What
// an API server sets goes in any case.
//
// The text is edited, not written anew. As a proof that nothing else changed,
// the result is read and compared with the input's tree under the same changes.
func valkeyCluster(d schema.Document, o Options) (text []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			text, err = nil, fmt.Errorf("cannot be edited in place: %v", v)
		}
	}()
	y, err := parseText(d.Source)
	if err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	want := expand(y.root)
	if d.Cluster.Exposed() {
		exposeTree(want, d.Cluster, o)
		if err := expose(y, d.Cluster, o); err != nil {
			return nil, err
		}
	}
	remove := schema.ServerOwned
	if !o.KeepBlock {
		remove = append([][]string{{"spec", "externalAccess"}}, remove...)
	}
	for _, path := range remove {
		want.remove(path...)
		if err := removeAt(y, path...); err != nil {
			return nil, err
		}
	}
	if !same(expand(y.root), want) {
		return nil, errNotPlain
	}
	return y.text, nil
}

// expose makes the changes of an exposed cluster but for the block itself,
// which still marks the place for the marker.
func expose(y *yamlText, c *schema.Cluster, o Options) error {
	if c.Namespace == "" {
		if err := place(y, o.Namespace); err != nil {
			return err
		}
	}
	if o.Inject == InjectAdmission {
		if err := mark(y, o.KeepBlock); err != nil {
			return errNotPlain
		}
	}
	return removeAt(y, "status")
}

// place writes a namespace where there is none.
func place(y *yamlText, namespace string) error {
	name, ok := y.find("metadata", "name")
	if !ok {
		return errNotPlain
	}
	if empty, ok := y.find("metadata", "namespace"); ok { // null, or ""
		if err := y.remove(empty); err != nil {
			return errNotPlain
		}
		name, _ = y.find("metadata", "name")
	}
	if err := y.insertAfter(name, node{"namespace", namespace}); err != nil {
		return errNotPlain
	}
	return nil
}

// withNamespaceOf is the text of a cluster that is not exposed with the namespace
// of the options where it has none. One that cannot be edited in place is left as
// it is.
func withNamespaceOf(d schema.Document, o Options) []byte {
	if d.Namespace != "" || o.Namespace == "" {
		return d.Source
	}
	y, err := parseText(d.Source)
	if err != nil {
		return d.Source
	}
	want := expand(y.root)
	child(want, "metadata").set("namespace", scalar(o.Namespace))
	if err := place(y, o.Namespace); err != nil || !same(expand(y.root), want) {
		return d.Source
	}
	return y.text
}

// removeAt removes a field if it is there.
func removeAt(y *yamlText, path ...string) error {
	if e, ok := y.find(path...); ok {
		if err := y.remove(e); err != nil {
			return errNotPlain
		}
	}
	return nil
}

// mark merges the marker into spec.containers[name=server].env, making what is
// missing on the way.
func mark(y *yamlText, keepBlock bool) error {
	variable := envVar{schema.Marker, markerValue}
	server := container{schema.ServerContainer, []envVar{variable}}

	containers, ok := y.find("spec", "containers")
	switch {
	case !ok:
		block, found := y.find("spec", "externalAccess")
		if !found {
			return errNotPlain
		}
		if keepBlock { // its comment stays above it
			return y.insertAfter(block, node{"containers", []container{server}})
		}
		return y.insertBefore(block, node{"containers", []container{server}})
	case len(containers.value.Content) == 0:
		return y.fill(containers, []container{server})
	case containers.value.Kind != yaml.SequenceNode:
		return errNotPlain
	}
	for i := range containers.value.Content {
		container := y.at(containers, i)
		name, ok := y.member(container, "name")
		if !ok || name.value.Value != schema.ServerContainer {
			continue
		}
		env, ok := y.member(container, "env")
		switch {
		case !ok:
			return y.insertAfter(name, node{"env", []envVar{variable}})
		case len(env.value.Content) == 0:
			return y.fill(env, []envVar{variable})
		case env.value.Kind != yaml.SequenceNode:
			return errNotPlain
		}
		for i := range env.value.Content {
			if name, ok := y.member(y.at(env, i), "name"); ok && name.value.Value == schema.Marker {
				return nil // from an earlier render; the comparison holds its value to ours
			}
		}
		return y.insertAfter(y.at(env, len(env.value.Content)-1), node{"", variable})
	}
	return y.insertAfter(y.at(containers, len(containers.value.Content)-1), node{"", server})
}
