// Package schema holds the types of the contract: what is read from a
// ValkeyCluster, the Plan that follows from it, and what is said about an
// input that breaks a rule.
//
// It decides nothing about how a document is parsed or what is rendered; it
// imports the standard library only, so that the read-back program stays small.
package schema
