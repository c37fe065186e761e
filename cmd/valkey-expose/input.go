package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	rules "github.com/valkey-expose/valkey-expose/cue"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

// stdinName is what standard input goes by in messages.
const stdinName = "<stdin>"

// input is what -f names.
type input struct {
	files  []string
	strict bool
}

func (in *input) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&in.files, "filename", "f", nil, "file to read, - for standard input; may be given more than once")
	cmd.Flags().BoolVar(&in.strict, "strict", false, "take warnings for errors")
	if err := cmd.MarkFlagRequired("filename"); err != nil {
		panic(err) // the flag stands two lines up
	}
	if err := cmd.MarkFlagFilename("filename", "yaml", "yml", "json"); err != nil {
		panic(err)
	}
}

// load reads and checks every file, and prints every problem. The options and
// the check are those of the command. Documents come back only if nothing
// rejects them.
func (in *input) load(cmd *cobra.Command, o gen.Options, check func([]schema.Document) []schema.Problem) ([]schema.Document, error) {
	checker, err := rules.New()
	if err != nil {
		return nil, failedError{err}
	}
	var documents []schema.Document
	var problems []schema.Problem
	stdin := false
	for _, file := range in.files {
		if file == "-" && stdin {
			return nil, errors.New("standard input can be read only once")
		}
		stdin = stdin || file == "-"
		name, source, err := read(cmd.InOrStdin(), file)
		if err != nil {
			return nil, failedError{err}
		}
		d, p := checker.Check(name, source)
		documents = append(documents, d...)
		problems = append(problems, p...)
	}
	problems = append(problems, gen.Check(documents, o)...)
	if check != nil {
		problems = append(problems, check(documents)...)
	}
	if in.strict {
		for i := range problems {
			problems[i].Warning = false
		}
	}
	report(cmd.ErrOrStderr(), problems, in.files)
	if schema.Rejects(problems) {
		return nil, rejectedError{}
	}
	return documents, nil
}

// read returns the content of a file, and the name it goes by in messages. It
// stops early at what is too large in any case.
func read(stdin io.Reader, file string) (name string, source []byte, err error) {
	from := stdin
	name = stdinName
	if file != "-" {
		name = file
		f, err := os.Open(file)
		if err != nil {
			return "", nil, err
		}
		defer f.Close()
		from = f
	}
	source, err = io.ReadAll(io.LimitReader(from, rules.MaxFile+1))
	if err != nil {
		return "", nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return name, source, nil
}
