//go:build !gateway && !pipelines && !operator && !dns

package e2e

import "github.com/valkey-expose/valkey-expose/e2e/components"

// want is the bed of most tests: without programs that take minutes to build.
var want = components.Want{}
