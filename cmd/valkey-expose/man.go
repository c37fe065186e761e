//go:build man

package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/exit"
	"github.com/valkey-expose/valkey-expose/cmd/valkey-expose/internal/report"
)

// main, with the build tag man, is another program: it writes a manual page of each
// command into the folder given. The pages are dated by SOURCE_DATE_EPOCH, in
// seconds. They are no command of the program itself, for what writes them would
// be in everybody's download.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run -tags man ./cmd/valkey-expose FOLDER")
		os.Exit(exit.Misuse)
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, "SOURCE_DATE_EPOCH:", err)
		os.Exit(exit.Misuse)
	}
	root := newRoot(strings.NewReader(""), io.Discard, io.Discard)
	root.DisableAutoGenTag = true
	date := time.Unix(seconds, 0).UTC()
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: report.Program + " " + buildVersion(), Manual: report.Program}
	if err := doc.GenManTree(root, header, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exit.Rejected)
	}
}
