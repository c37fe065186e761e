package gen

import (
	"errors"
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
	"github.com/valkey-expose/valkey-expose/yamledit"
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
// the result is read and compared with the input's value under the same changes.
func valkeyCluster(d schema.Document, o Options) (text []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			text, err = nil, fmt.Errorf("cannot be edited in place: %v", v)
		}
	}()
	y, err := yamledit.Parse(d.Source)
	if err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	want := y.Value()
	if d.Cluster.Exposed() {
		exposeValue(want, d.Cluster, o)
		if err := expose(y, d.Cluster, o); err != nil {
			return nil, err
		}
	}
	remove := schema.ServerOwned
	if !o.KeepBlock {
		remove = append([][]string{{"spec", "externalAccess"}}, remove...)
	}
	for _, path := range remove {
		unset(want, path...)
		if err := removeAt(y, path...); err != nil {
			return nil, err
		}
	}
	if !yamledit.Equal(y.Value(), want) {
		return nil, errNotPlain
	}
	return y.Text(), nil
}

// expose makes the changes of an exposed cluster but for the block itself,
// which still marks the place for the marker.
func expose(y *yamledit.Document, c *schema.Cluster, o Options) error {
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
func place(y *yamledit.Document, namespace string) error {
	name, ok := y.Find("metadata", "name")
	if !ok {
		return errNotPlain
	}
	if empty, ok := y.Find("metadata", "namespace"); ok { // null, or ""
		if err := y.Remove(empty); err != nil {
			return errNotPlain
		}
		name, _ = y.Find("metadata", "name")
	}
	if err := y.InsertAfter(name, "namespace", namespace); err != nil {
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
	y, err := yamledit.Parse(d.Source)
	if err != nil {
		return d.Source
	}
	want := y.Value()
	mapIn(want, "metadata")["namespace"] = o.Namespace
	if err := place(y, o.Namespace); err != nil || !yamledit.Equal(y.Value(), want) {
		return d.Source
	}
	return y.Text()
}

// removeAt removes a field if it is there.
func removeAt(y *yamledit.Document, path ...string) error {
	if e, ok := y.Find(path...); ok {
		if err := y.Remove(e); err != nil {
			return errNotPlain
		}
	}
	return nil
}

// mark merges the marker into spec.containers[name=server].env, making what is
// missing on the way.
func mark(y *yamledit.Document, keepBlock bool) error {
	variable := envVar{schema.Marker, markerValue}
	server := container{schema.ServerContainer, []envVar{variable}}

	containers, ok := y.Find("spec", "containers")
	switch {
	case !ok:
		block, found := y.Find("spec", "externalAccess")
		if !found {
			return errNotPlain
		}
		if keepBlock { // its comment stays above it
			return y.InsertAfter(block, "containers", []container{server})
		}
		return y.InsertBefore(block, "containers", []container{server})
	case containers.IsEmpty():
		return y.Fill(containers, []container{server})
	case !containers.IsList():
		return errNotPlain
	}
	all := containers.Elements()
	for _, container := range all {
		name, ok := container.Member("name")
		if !ok || name.Scalar() != schema.ServerContainer {
			continue
		}
		env, ok := container.Member("env")
		switch {
		case !ok:
			return y.InsertAfter(name, "env", []envVar{variable})
		case env.IsEmpty():
			return y.Fill(env, []envVar{variable})
		case !env.IsList():
			return errNotPlain
		}
		variables := env.Elements()
		for _, v := range variables {
			if name, ok := v.Member("name"); ok && name.Scalar() == schema.Marker {
				return nil // from an earlier render; the comparison holds its value to ours
			}
		}
		return y.InsertAfter(variables[len(variables)-1], "", variable)
	}
	return y.InsertAfter(all[len(all)-1], "", server)
}
