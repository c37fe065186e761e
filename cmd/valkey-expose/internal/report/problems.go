package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Stdin is what standard input goes by in messages.
const Stdin = "<stdin>"

// maxBytes bounds what is printed about an input, in bytes: nobody reads more,
// and a broken file must not flood a pipeline's log.
const maxBytes = 60 << 10

// Problems prints the problems, file by file as the command line names them, and
// in source order within each.
func Problems(w io.Writer, problems []schema.Problem, files []string) {
	schema.SortProblems(problems)
	slices.SortStableFunc(problems, func(a, b schema.Problem) int {
		return slices.Index(files, argument(a)) - slices.Index(files, argument(b))
	})
	out := bufio.NewWriter(w)
	defer out.Flush()
	printed := 0
	for i, p := range problems {
		line := Printable(p.String())
		if printed += len(line) + 1; printed > maxBytes {
			Hint(out, "%d more problems are not shown", len(problems)-i)
			return
		}
		fmt.Fprintln(out, line)
	}
}

// argument is the problem's file as the command line has it.
func argument(p schema.Problem) string {
	if p.File == Stdin {
		return "-"
	}
	return p.File
}
