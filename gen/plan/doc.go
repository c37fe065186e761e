// Package plan works out the Plan of an exposed cluster, and holds what all
// renderers of its objects read: the options, the names, the Plan itself.
//
// Values in, values out: it knows no Kubernetes object.
package plan
