// Package transition works out what one rendering changes for clients and pods
// after another: which nodes come, go, move or are renamed, whether the pods are
// rolled, and what must not happen in one step.
//
// It compares two Plans, and knows neither files nor objects.
package transition
