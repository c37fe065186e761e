// Package valkeycluster edits the document of a ValkeyCluster in its text, so that
// what the user wrote stays as it is.
package valkeycluster
