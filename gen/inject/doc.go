// Package inject holds the ways to get what each node announces into its pod, one
// file a way. The operator gives all pods the same template, so no field of a
// ValkeyCluster can do it.
//
// A new way is a file beside these and a line in Ways.
package inject
