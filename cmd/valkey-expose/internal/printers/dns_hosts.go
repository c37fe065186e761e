package printers

import (
	"bytes"
	"fmt"
	"io"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
	"github.com/valkey-expose/valkey-expose/schema"
)

// RecordsHosts writes lines of a hosts file (hosts(5)), which knows addresses only.
func RecordsHosts(w io.Writer, sets []records.Set) error {
	var out bytes.Buffer
	for _, set := range sets {
		fmt.Fprintf(&out, "# ValkeyCluster %s\n", schema.QualifiedName(set.Plan.Namespace, set.Plan.Cluster))
		for _, name := range set.Names {
			if len(name.Targets) == 0 {
				return unknownAddress(set, name)
			}
			for _, target := range name.Targets {
				if records.Type(target) == "CNAME" {
					return fmt.Errorf("%s leads to the name %s, and a hosts file takes addresses only: use --format zone", name.Hostname, target)
				}
				fmt.Fprintf(&out, "%s %s\n", target, name.Hostname)
			}
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}
