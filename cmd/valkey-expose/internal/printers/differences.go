package printers

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/directory"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// Differences prints the diffs, with names as Git has them in the directory,
// and names the files.
func Differences(stdout, stderr io.Writer, path string, all []directory.Difference) error {
	const none = "/dev/null"
	for _, d := range all {
		oldName, newName, state := "a/"+d.Name, "b/"+d.Name, "has changed"
		switch {
		case d.Have == nil:
			oldName, state = none, "is missing"
		case d.Want == nil:
			newName, state = none, "is stale"
		}
		if why := cmp.Or(withheld(d.Have), withheld(d.Want)); why != "" {
			state += " (not shown: " + why + ")"
		} else if _, err := stdout.Write(diff.Diff(oldName, d.Have, newName, d.Want)); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%s: %s\n", report.Printable(filepath.Join(path, d.Name)), state)
	}
	return nil
}

// withheld says why a stream must not reach a pipeline's log, "" if it may: every
// document of the input stands in a rendered directory. Its kinds are read as YAML
// has them, however they are written; what cannot be read may hold one.
func withheld(stream []byte) string {
	for decoder := yaml.NewDecoder(bytes.NewReader(stream)); ; {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return ""
		case err != nil:
			return "it cannot be read, and may hold a Secret"
		case namesSecret(&document):
			return "it holds a Secret"
		}
	}
}

// namesSecret finds a field kind whose value is Secret, or a list of them, anywhere
// in a document.
func namesSecret(n *yaml.Node) bool {
	for i, inner := range n.Content {
		value := inner
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		isKind := n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == "kind"
		if isKind && strings.HasPrefix(value.Value, "Secret") || namesSecret(inner) {
			return true
		}
	}
	return false
}
