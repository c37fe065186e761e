//go:build gateway

package e2e

import "github.com/valkey-expose/valkey-expose/e2e/components"

var want = components.Want{Traefik: true}
