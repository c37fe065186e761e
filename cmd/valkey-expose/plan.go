package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

func newPlan() *cobra.Command {
	var in input
	options := renderFlags{options: gen.Defaults()}
	var directory, format string
	cmd := &cobra.Command{
		Use:   "plan -f FILE -o DIR",
		Short: "List what a render would change for clients and pods",
		Long: `List what render -o would change for clients and pods, and write nothing.

The nodes that the last render in the directory exposed are compared with those
that the files ask for: which are added and removed, whose port moves, whose
hostname changes, which are served only until they are empty, whether the pods are
rolled or have to be restarted by hand, and what render would refuse without --force. Give it the flags of render. The exit code is 0 whatever changes.`,
		Example: `  # Before a change is rendered
  valkey-expose plan -f cluster.yaml -n default -o deploy/
  valkey-expose plan -f cluster.yaml -n default -o deploy/ --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if err := givenDirectory(cmd, directory); err != nil {
				return err
			}
			documents, o, err := options.load(cmd, &in)
			if err != nil {
				return err
			}
			files, err := directoryFiles(documents, o, directory)
			if err != nil {
				return err
			}
			have, err := readDirectory(directory)
			if err != nil {
				return failedError{fmt.Errorf("reading %s: %w", directory, err)}
			}
			t, err := gen.CompareFiles(have, files)
			if err != nil {
				return unreadableError{directory, err}
			}
			print := printTransition
			if format == "json" {
				print = printTransitionJSON
			}
			return print(cmd.OutOrStdout(), t)
		},
	}
	in.flags(cmd)
	options.flags(cmd)
	directoryFlag(cmd, &directory, "directory that render writes to")
	cmd.Flags().StringVar(&format, "format", "text", "format of the output: text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

// transition is the JSON output.
type transition struct {
	Rolls    bool          `json:"rollsPods"`
	Settings []gen.Setting `json:"settings"`
	Added    []endpoint    `json:"added"`
	Removed  []endpoint    `json:"removed"`
	Moved    []move        `json:"moved"`
	Renamed  []rename      `json:"renamed"`
	Draining []endpoint    `json:"draining"`
	Untold   bool          `json:"runningNodesNotTold"`
	Refused  []gen.Refusal `json:"refused"`
}

// move is a node with another port; one that is missing is allocated by Kubernetes.
type move struct {
	Node    string `json:"node"`
	OldPort int    `json:"oldPort,omitempty"`
	NewPort int    `json:"newPort,omitempty"`
}

// rename is a node with another hostname; one that is missing is not announced.
type rename struct {
	Node        string `json:"node"`
	OldHostname string `json:"oldHostname,omitempty"`
	NewHostname string `json:"newHostname,omitempty"`
}

func printTransitionJSON(w io.Writer, t gen.Transition) error {
	// Lists are never null.
	out := transition{
		Rolls:    t.Rolls,
		Settings: append([]gen.Setting{}, t.Settings...),
		Added:    endpointsOf(t.New.Plan, t.Added),
		Removed:  endpointsOf(t.Old.Plan, t.Removed),
		Moved:    []move{},
		Renamed:  []rename{},
		Draining: endpointsOf(t.New.Plan, t.Draining),
		Untold:   t.Untold,
		Refused:  append([]gen.Refusal{}, t.Refusals...),
	}
	for _, m := range t.Moved {
		out.Moved = append(out.Moved, move{m.Node.Name, m.OldPort, m.Node.Port})
	}
	for _, r := range t.Renamed {
		out.Renamed = append(out.Renamed, rename{r.Node.Name, r.OldHostname, r.Node.Hostname})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func endpointsOf(plan *schema.Plan, nodes []schema.Node) []endpoint {
	rows := []endpoint{}
	for _, n := range nodes {
		rows = append(rows, newEndpoint(plan, n))
	}
	return rows
}
