package schema

import "strings"

// Document is one document of an input stream.
type Document struct {
	// Source is the document as it stands in the input, with its separator
	// line and comments. The Sources of a file, joined, are the file, less byte
	// order marks. Of a List that holds a cluster with external access each object
	// has a Source, written anew; of any other the List has, and they have none.
	Source []byte

	// Within is the path of an object inside a List, such as items[3].
	Within string

	// APIVersion, Kind, Namespace and Name identify the object; all are empty
	// for a document without content.
	APIVersion, Kind, Namespace, Name string

	// Cluster is what was read of a ValkeyCluster with an externalAccess field;
	// nil for any other document, and for one that broke a rule.
	Cluster *Cluster

	// Locate finds the place of a field, such as "spec.shards", or of the
	// closest parent that exists. It is nil for a document without content.
	Locate func(path string) Position
}

// IsCluster reports whether the document is a ValkeyCluster of the operator,
// with or without external access.
func (d *Document) IsCluster() bool {
	group, _, _ := strings.Cut(d.APIVersion, "/")
	return d.Kind == Kind && group == Group
}

// Empty reports whether the document holds no object, only comments or nothing.
func (d *Document) Empty() bool { return d.Kind == "" }
