package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/gen"
)

func newDiff() *cobra.Command {
	var in input
	options := renderFlags{options: gen.Defaults()}
	var directory string
	cmd := &cobra.Command{
		Use:   "diff -f FILE -o DIR",
		Short: "Tell whether a directory holds what render would write",
		Long: `Tell whether a directory holds what render would write there now.

If so, nothing is printed and the exit code is 0. If not, it is 1: a unified diff
of every file goes to standard output, and what is missing, stale or changed is
named on standard error, with what render would refuse. Nothing is written. Give
it the flags that render was given. Files that are not valkey-expose's own are
passed over. File names in the diff are relative to the directory.`,
		Example: `  # In CI: was the cluster changed, and not rendered?
  valkey-expose diff -f cluster.yaml -n default -o deploy/

  # The diff is a patch
  valkey-expose diff -f cluster.yaml -n default -o deploy/ | patch -d deploy/ -p1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := givenDirectory(cmd, directory); err != nil {
				return err
			}
			documents, o, err := options.load(cmd, &in)
			if err != nil {
				return err
			}
			want, err := directoryFiles(documents, o, directory)
			if err != nil {
				return err
			}
			have, err := readDirectory(directory)
			if err != nil {
				return failedError{fmt.Errorf("reading %s: %w", directory, err)}
			}
			all := differences(have, want)
			if err := printDifferences(cmd.OutOrStdout(), cmd.ErrOrStderr(), directory, all); err != nil {
				return err
			}
			if len(all) == 0 {
				return nil
			}
			t, err := gen.CompareFiles(have, want)
			if err != nil {
				return unreadableError{directory, err}
			}
			for _, r := range t.Refusals {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: note: render refuses this without --force: the change %s\n", name, printable(r.Reason))
			}
			return rejectedError{}
		},
	}
	in.flags(cmd)
	options.flags(cmd)
	directoryFlag(cmd, &directory, "directory that render writes to")
	return cmd
}

// directoryFlag is -o where a directory must be given.
func directoryFlag(cmd *cobra.Command, directory *string, usage string) {
	cmd.Flags().StringVarP(directory, "output-dir", "o", "", usage)
	for _, err := range []error{cmd.MarkFlagRequired("output-dir"), cmd.MarkFlagDirname("output-dir")} {
		if err != nil {
			panic(err) // the flag was just defined
		}
	}
}

// difference is one file that is not what would be rendered; have or want is nil
// where there is none.
type difference struct {
	name       string
	have, want []byte
}

// differences lists the files that a directory holds and those it should hold,
// where the two differ.
func differences(have, want []gen.File) []difference {
	var all []difference
	for _, name := range gen.Files() {
		if d := (difference{name, gen.TextOf(have, name), gen.TextOf(want, name)}); !bytes.Equal(d.have, d.want) {
			all = append(all, d)
		}
	}
	return all
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

// printDifferences prints the diffs, with names as Git has them in the directory,
// and names the files.
func printDifferences(stdout, stderr io.Writer, directory string, all []difference) error {
	const none = "/dev/null"
	for _, d := range all {
		oldName, newName, state := "a/"+d.name, "b/"+d.name, "has changed"
		switch {
		case d.have == nil:
			oldName, state = none, "is missing"
		case d.want == nil:
			newName, state = none, "is stale"
		}
		if why := cmp.Or(withheld(d.have), withheld(d.want)); why != "" {
			state += " (not shown: " + why + ")"
		} else if _, err := stdout.Write(diff.Diff(oldName, d.have, newName, d.want)); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%s: %s\n", printable(filepath.Join(directory, d.name)), state)
	}
	return nil
}
