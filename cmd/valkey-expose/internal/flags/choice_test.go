package flags

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestChoices: the default of each flag is one of its values.
func TestChoices(t *testing.T) {
	cmd := &cobra.Command{}
	new(Render).Flags(cmd, "")
	for flag, values := range map[string]choices{
		"inject": injections(), "readback": readbacks(), "roll": rolls(), "admission-version": admissionVersions(), "tcproute-version": tcpRouteVersions(), "gitops": gitOpsTools(),
	} {
		f := cmd.Flags().Lookup(flag)
		for _, value := range strings.Split(strings.Trim(f.DefValue, "[]"), ",") {
			if err := values.check(flag, value); err != nil {
				t.Errorf("the default: %v", err)
			}
		}
		complete, ok := cmd.GetFlagCompletionFunc(flag)
		if !ok {
			t.Fatalf("--%s completes nothing", flag)
		}
		if offered, _ := complete(cmd, nil, ""); !slices.Equal(offered, values.names()) || !strings.HasSuffix(f.Usage, values.usage("")) {
			t.Errorf("--%s offers %q, help %q", flag, offered, f.Usage)
		}
	}
}
