package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	rules "github.com/valkey-expose/valkey-expose/cue"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

func newFn() *cobra.Command {
	options := renderFlags{options: gen.Defaults()}
	strict := false
	cmd := &cobra.Command{
		Use:   "fn",
		Short: "Render as a KRM function, for kustomize and kpt",
		Long: `Render as a KRM function, for kustomize and kpt.

A ResourceList is read from standard input and written to standard output: a
ValkeyCluster with external access is followed and preceded by the objects it
needs, every other item stays as it is. What is wrong is in its results, with
severity and field. The flags may also stand in data of the function's
configuration, without dashes.`,
		Example: `  # In a transformer of a kustomization, built with --enable-alpha-plugins --enable-exec:
  #   metadata:
  #     annotations:
  #       config.kubernetes.io/function: |
  #         exec: {path: valkey-expose, args: [fn]}
  valkey-expose fn < resourcelist.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, text, err := read(cmd.InOrStdin(), "-")
			if err != nil {
				return failedError{err}
			}
			if len(text) > rules.MaxFile {
				return failedError{fmt.Errorf("the ResourceList is larger than %d MiB", rules.MaxFile>>20)}
			}
			list, err := parseResourceList(text)
			if err != nil {
				return failedError{err}
			}
			if err := configure(cmd, list); err != nil {
				return err
			}
			o, err := options.parse()
			if err != nil {
				return err
			}
			if err := options.readPodPatch(cmd, &o, true); err != nil {
				return err
			}
			if o.Inject == gen.InjectPatch {
				return errors.New("--inject patch needs render --output-dir: a Component is a folder")
			}
			return function(cmd, list, o, strict)
		},
	}
	options.flags(cmd)
	cmd.Flags().BoolVar(&strict, "strict", false, "take warnings for errors")
	return cmd
}

// configure sets the flags that the function's configuration names. Those of the
// command line win.
func configure(cmd *cobra.Command, list *resourceList) error {
	config, err := list.config()
	if err != nil {
		return failedError{err}
	}
	for _, key := range slices.Sorted(maps.Keys(config)) {
		flag := cmd.Flags().Lookup(key)
		if flag == nil || key == "help" {
			return fmt.Errorf("data of the functionConfig has %q, which is no flag", key)
		}
		if flag.Changed {
			continue
		}
		if err := flag.Value.Set(config[key]); err != nil {
			return fmt.Errorf("data of the functionConfig: %s: %w", key, err)
		}
	}
	return nil
}

// function checks the items and renders them in their places. The list is written
// in any case: as it was, with results, if something is wrong.
func function(cmd *cobra.Command, list *resourceList, o gen.Options, strict bool) error {
	checker, err := rules.New()
	if err != nil {
		return failedError{err}
	}
	items, problems := checker.CheckItems(list.items, list.itemName)
	documents := slices.Concat(items...)
	problems = slices.Concat(problems, gen.Check(documents, o), gen.CheckNamespaces(documents, o))
	if err := requireImage(documents, o); err != nil {
		return err
	}
	index := make(map[string]int, len(list.items))
	for i := range list.items {
		index[list.itemName(i)] = i
	}
	slices.SortStableFunc(problems, func(a, b schema.Problem) int { return index[a.File] - index[b.File] })
	var results []result
	for _, p := range problems {
		p.Warning = p.Warning && !strict
		r := resultOf(p, list.items[index[p.File]])
		results = append(results, r)
		fmt.Fprintln(cmd.ErrOrStderr(), printable(line(p.File, r)))
	}
	rejected := slices.ContainsFunc(results, func(r result) bool { return r.Severity == "error" })
	if !rejected {
		if list.items, err = renderItems(list.items, items, o); err != nil {
			return failedError{err}
		}
	}
	out, err := list.write(results)
	if err != nil {
		return failedError{err}
	}
	if _, err := cmd.OutOrStdout().Write(out); err != nil {
		return failedError{fmt.Errorf("writing the output: %w", err)}
	}
	if rejected {
		return rejectedError{}
	}
	return nil
}

// line is a result as a person reads it: kustomize shows what a function prints.
func line(place string, r result) string {
	text := r.Severity + ": " + place + ": "
	if ref := r.ResourceRef; ref != nil {
		text += strings.TrimSpace(ref.Kind+" "+ref.Name) + ": " // a List has no name
	}
	if r.Field != nil {
		text += r.Field.Path + ": "
	}
	return text + r.Message
}

// renderItems puts in place of each item with external access what follows from it.
func renderItems(items []*yaml.Node, documents [][]schema.Document, o gen.Options) ([]*yaml.Node, error) {
	var all []*yaml.Node
	for i, item := range items {
		if !slices.ContainsFunc(documents[i], func(d schema.Document) bool { return d.Source != nil }) {
			all = append(all, item)
			continue
		}
		text, err := gen.Stream(documents[i], o)
		if err != nil {
			return nil, err
		}
		for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
			var document yaml.Node
			if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("reading what was rendered: %w", err)
			}
			all = append(all, document.Content[0])
		}
	}
	return all, nil
}
