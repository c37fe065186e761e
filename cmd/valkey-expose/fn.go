package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/flags"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/resourcelist"
	rules "github.com/valkey-expose/valkey-expose/cue"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

func newFn(image string) *cobra.Command {
	var options flags.Render
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
			_, text, err := flags.Read(cmd.InOrStdin(), "-")
			if err != nil {
				return exit.FailedError{Err: err}
			}
			if len(text) > rules.MaxFile {
				return exit.FailedError{Err: fmt.Errorf("the ResourceList is larger than %d MiB", rules.MaxFile>>20)}
			}
			list, err := resourcelist.Parse(text)
			if err != nil {
				return exit.FailedError{Err: err}
			}
			if err := configure(cmd, list); err != nil {
				return err
			}
			o, err := options.Options(cmd, true)
			if err != nil {
				return err
			}
			if err := flags.InStream(o, "render --output-dir"); err != nil {
				return err
			}
			return function(cmd, list, o, strict)
		},
	}
	options.Flags(cmd, image)
	flags.Strict(cmd, &strict)
	return cmd
}

// configure sets the flags that the function's configuration names. Those of the
// command line win.
func configure(cmd *cobra.Command, list *resourcelist.List) error {
	config, err := list.Config()
	if err != nil {
		return exit.FailedError{Err: err}
	}
	for _, key := range slices.Sorted(maps.Keys(config)) {
		flag := cmd.Flags().Lookup(key)
		if flag == nil || key == "help" {
			return fmt.Errorf("data of the functionConfig has %q, which is not a flag", key)
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
func function(cmd *cobra.Command, list *resourcelist.List, o gen.Options, strict bool) error {
	checker, err := rules.New()
	if err != nil {
		return exit.FailedError{Err: err}
	}
	items, problems := checker.CheckItems(list.Items, list.ItemName)
	rendering := gen.New(slices.Concat(items...), o)
	problems = slices.Concat(problems, rendering.Check(), rendering.CheckNamespaces())
	if err := flags.RequireImage(rendering, o); err != nil {
		return err
	}
	index := make(map[string]int, len(list.Items))
	for i := range list.Items {
		index[list.ItemName(i)] = i
	}
	slices.SortStableFunc(problems, func(a, b schema.Problem) int { return index[a.File] - index[b.File] })
	var results []resourcelist.Result
	for _, p := range problems {
		p.Warning = p.Warning && !strict
		r := resourcelist.ResultOf(p, list.Items[index[p.File]])
		results = append(results, r)
		fmt.Fprintln(cmd.ErrOrStderr(), r.Line(p.File))
	}
	rejected := slices.ContainsFunc(results, func(r resourcelist.Result) bool { return r.Severity == "error" })
	if !rejected {
		if list.Items, err = renderItems(list.Items, items, rendering); err != nil {
			return exit.FailedError{Err: err}
		}
	}
	out, err := list.Write(results)
	if err != nil {
		return exit.FailedError{Err: err}
	}
	if _, err := cmd.OutOrStdout().Write(out); err != nil {
		return exit.FailedError{Err: fmt.Errorf("writing the output: %w", err)}
	}
	if rejected {
		return exit.RejectedError{}
	}
	return nil
}

// renderItems puts in place of each item with external access what follows from it.
func renderItems(items []*yaml.Node, documents [][]schema.Document, rendering *gen.Rendering) ([]*yaml.Node, error) {
	var all []*yaml.Node
	end := 0 // of the item's documents among all
	for i, item := range items {
		begin := end
		end += len(documents[i])
		if !slices.ContainsFunc(documents[i], func(d schema.Document) bool { return d.Source != nil }) {
			all = append(all, item)
			continue
		}
		text, err := rendering.Part(begin, end).Stream()
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
