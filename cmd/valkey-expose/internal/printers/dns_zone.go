package printers

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
	"github.com/valkey-expose/valkey-expose/schema"
)

// recordTTL is how long resolvers keep a record, in seconds: no failover or roll
// changes one, only a load balancer made anew does.
const recordTTL = 300

// RecordsZone writes records in the form of master files (RFC 1035, section 5), to be
// included in the zone that holds their names: they have no SOA.
func RecordsZone(w io.Writer, sets []records.Set) error {
	var out bytes.Buffer
	for _, set := range sets {
		fmt.Fprintf(&out, "; ValkeyCluster %s: records for the zone that holds the names\n", schema.QualifiedName(set.Plan.Namespace, set.Plan.Cluster))
		for _, name := range set.Names {
			if len(name.Targets) == 0 {
				return unknownAddress(set, name)
			}
			for _, target := range name.Targets {
				kind := records.Type(target)
				if kind == "CNAME" {
					target = strings.TrimSuffix(target, ".") + "."
				}
				fmt.Fprintf(&out, "%s. %d IN %s %s\n", name.Hostname, recordTTL, kind, target)
			}
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// unknownAddress is where a format needs an address that is not known.
func unknownAddress(set records.Set, name records.Name) error {
	what := "give it with --address"
	if !set.Plan.Gateway && set.Plan.ServiceType == schema.LoadBalancer {
		what = "give --endpoints, the record of the read-back Job"
	}
	return fmt.Errorf("%s leads to the %s, which is not known: %s", name.Hostname, destination(set.Plan, name), what)
}
