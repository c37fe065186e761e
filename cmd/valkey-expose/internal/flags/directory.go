package flags

import (
	"errors"

	"github.com/spf13/cobra"
)

// Directory is -o, the directory that render writes to.
func Directory(cmd *cobra.Command, directory *string, usage string) {
	cmd.Flags().StringVarP(directory, "output-dir", "o", "", usage)
	if err := cmd.MarkFlagDirname("output-dir"); err != nil {
		panic(err) // the flag stands one line up
	}
}

// RequiredDirectory is -o where a directory must be given.
func RequiredDirectory(cmd *cobra.Command, directory *string) {
	Directory(cmd, directory, "directory that render writes to")
	if err := cmd.MarkFlagRequired("output-dir"); err != nil {
		panic(err) // the flag stands one line up
	}
}

// CheckDirectory refuses -o "", which an unset variable of a pipeline becomes.
func CheckDirectory(cmd *cobra.Command, directory string) error {
	if directory == "" && cmd.Flags().Changed("output-dir") {
		return errors.New("--output-dir must name a directory, not \"\"")
	}
	return nil
}
