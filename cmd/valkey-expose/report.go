package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/valkey-expose/valkey-expose/schema"
)

// maxReport bounds what is printed about an input, in bytes: nobody reads more,
// and a broken file must not flood a pipeline's log.
const maxReport = 60 << 10

// report prints the problems, file by file and in source order within each.
func report(w io.Writer, problems []schema.Problem, files []string) {
	schema.SortProblems(problems)
	slices.SortStableFunc(problems, func(a, b schema.Problem) int {
		return slices.Index(files, fileName(a)) - slices.Index(files, fileName(b))
	})
	out := bufio.NewWriter(w)
	defer out.Flush()
	printed := 0
	for i, p := range problems {
		line := printable(p.String())
		if printed += len(line) + 1; printed > maxReport {
			fmt.Fprintf(out, "%s: hint: %d more problems are not shown\n", name, len(problems)-i)
			return
		}
		fmt.Fprintln(out, line)
	}
}

// printable keeps a line one line, of a length that can be read, without what
// would steer a terminal: keys of the input stand in it.
func printable(line string) string {
	const longest = 1000
	line = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, line)
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	return line
}

func fileName(p schema.Problem) string {
	if p.File == stdinName {
		return "-"
	}
	return p.File
}
