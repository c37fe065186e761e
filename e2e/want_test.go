//go:build !gateway

package e2e

import "github.com/valkey-expose/valkey-expose/e2e/components"

// want is the bed of most tests: without Traefik, which takes minutes to build.
var want = components.Want{}
