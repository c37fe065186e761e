// Package metadata gives the rendered objects their metadata: names, labels, and
// the annotations that put them into the hands of Argo CD and Flux.
package metadata
