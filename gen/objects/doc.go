// Package objects renders the objects of an exposed cluster, one file a kind.
//
// Each function takes what was worked out of the cluster and gives typed objects;
// what puts per-node settings into pods is package inject's.
package objects
