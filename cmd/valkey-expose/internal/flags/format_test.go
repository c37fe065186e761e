package flags

import (
	"testing"

	"github.com/spf13/cobra"
)

// TestFormats: one line a format gives its flag, its help and its completion.
func TestFormats(t *testing.T) {
	formats := Formats[int]{{Name: "table", Print: 1}, {Name: "json", Print: 2}, {Name: "mermaid", Usage: "a flowchart", Print: 3}}
	cmd := &cobra.Command{}
	var format string
	formats.Flag(cmd, &format, "format of the output")
	if f := cmd.Flags().Lookup("format"); f.Usage != "format of the output: table, json or mermaid (a flowchart)" || format != "table" {
		t.Errorf("%q, default %q", f.Usage, format)
	}
	complete, ok := cmd.GetFlagCompletionFunc("format")
	if values, _ := complete(cmd, nil, ""); !ok || len(values) != len(formats) {
		t.Errorf("completes %v", values)
	}
	for _, f := range formats {
		if got, err := formats.Printer(f.Name); err != nil || got != f.Print {
			t.Errorf("%s: %d, %v", f.Name, got, err)
		}
	}
	if _, err := formats.Printer("csv"); err == nil || err.Error() != `--format must be table, json or mermaid, not "csv"` {
		t.Error(err)
	}
}
