// Package gen turns a checked cluster into the objects that make it reachable
// from outside.
//
// It is pure: the same documents and options give the same bytes; nothing is
// read or written, no clock, no environment. It decides the names, labels and
// order of the objects, and how they are put into Argo CD's and Flux's hands.
// Where the bytes go is the caller's affair.
package gen
