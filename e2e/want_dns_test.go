//go:build dns

package e2e

import "github.com/valkey-expose/valkey-expose/e2e/components"

var want = components.Want{CoreDNS: true, Traefik: true}
