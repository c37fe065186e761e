package flags

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/records"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Recorded is where the addresses of DNS records come from.
type Recorded struct {
	files, addresses []string
}

// Flags defines --endpoints and --address.
func (r *Recorded) Flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.files, "endpoints", nil, "file with the endpoints.json that the read-back Job recorded, - for standard input; may be given more than once")
	cmd.Flags().StringSliceVar(&r.addresses, "address", nil, "IP address or DNS name of the Gateway, or IP addresses of machines, where none is recorded")
	if err := cmd.MarkFlagFilename("endpoints", "json"); err != nil {
		panic(err) // the flag stands three lines up
	}
}

// Given reports whether any of the flags is.
func (r *Recorded) Given() bool { return len(r.files)+len(r.addresses) > 0 }

// Check holds the flags to what they take.
func (r *Recorded) Check(in *Input) error {
	stdin := 0
	for _, file := range slices.Concat(r.files, in.files) {
		if file == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return errStdinTwice
	}
	for _, address := range r.addresses {
		if _, err := netip.ParseAddr(address); err == nil {
			continue
		}
		digits := strings.Trim(address[strings.LastIndexByte(address, '.')+1:], "0123456789") == ""
		if digits || len(address) > maxName || !namePattern.MatchString(address) {
			return fmt.Errorf("--address must be an IP address or a DNS name, not %q", address)
		}
	}
	return nil
}

// Records are those of the Plans.
func (r *Recorded) Records(cmd *cobra.Command, plans []schema.Plan) ([]records.Set, error) {
	of := make([]*records.Recorded, len(plans))
	for _, file := range r.files {
		name, content, err := Read(cmd.InOrStdin(), file)
		if err != nil {
			return nil, err
		}
		recorded, err := records.Read(content)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		i := slices.IndexFunc(plans, func(p schema.Plan) bool { return recorded.Is(&p) })
		if i < 0 {
			return nil, fmt.Errorf("reading %s: it is of ValkeyCluster %s, which is not in the input", name, schema.QualifiedName(recorded.Namespace, recorded.Cluster))
		}
		of[i] = recorded
	}
	var sets []records.Set
	for i := range plans {
		set, err := records.Of(&plans[i], of[i], r.addresses)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}
