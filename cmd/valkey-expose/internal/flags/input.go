package flags

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
	rules "github.com/valkey-expose/valkey-expose/cue"
	"github.com/valkey-expose/valkey-expose/gen"
	"github.com/valkey-expose/valkey-expose/schema"
)

// Input is what -f names.
type Input struct {
	files  []string
	strict bool
}

// Flags defines -f and --strict.
func (in *Input) Flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&in.files, "filename", "f", nil, "file to read, - for standard input; may be given more than once")
	Strict(cmd, &in.strict)
	if err := cmd.MarkFlagRequired("filename"); err != nil {
		panic(err) // the flag stands two lines up
	}
	if err := cmd.MarkFlagFilename("filename", "yaml", "yml", "json"); err != nil {
		panic(err)
	}
}

// Strict is --strict.
func Strict(cmd *cobra.Command, strict *bool) {
	cmd.Flags().BoolVar(strict, "strict", false, "treat warnings as errors")
}

// Load reads and checks every file, and prints every problem. The options and
// the check are those of the command. What is to be rendered comes back only if
// nothing rejects it.
func (in *Input) Load(cmd *cobra.Command, o gen.Options, check func(*gen.Rendering) []schema.Problem) (*gen.Rendering, error) {
	checker, err := rules.New()
	if err != nil {
		return nil, exit.FailedError{Err: err}
	}
	var documents []schema.Document
	var problems []schema.Problem
	stdin := false
	for _, file := range in.files {
		if file == "-" && stdin {
			return nil, errStdinTwice
		}
		stdin = stdin || file == "-"
		name, source, err := Read(cmd.InOrStdin(), file)
		if err != nil {
			return nil, exit.FailedError{Err: err}
		}
		d, p := checker.Check(name, source)
		documents = append(documents, d...)
		problems = append(problems, p...)
	}
	rendering := gen.New(documents, o)
	problems = append(problems, rendering.Check()...)
	if check != nil {
		problems = append(problems, check(rendering)...)
	}
	if in.strict {
		for i := range problems {
			problems[i].Warning = false
		}
	}
	report.Problems(cmd.ErrOrStderr(), problems, in.files)
	if schema.Rejects(problems) {
		return nil, exit.RejectedError{}
	}
	return rendering, nil
}

var errStdinTwice = errors.New("standard input can be read only once")

// Read returns the content of a file, and the name it goes by in messages. It
// stops early at what is too large in any case.
func Read(stdin io.Reader, file string) (name string, source []byte, err error) {
	from := stdin
	name = report.Stdin
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
