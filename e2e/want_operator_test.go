//go:build operator

package e2e

import "github.com/valkey-expose/valkey-expose/e2e/components"

var want = components.Want{Operator: true, Flux: true}
