// Package podpatch decides what a user's patch of a Job's pod template may be,
// and merges it.
//
// The patch adds and changes, and takes nothing away: what the Job relies on is
// given by its renderer, and stays. Kubernetes' own merge has directives that take
// away, and would bring more modules.
package podpatch
