package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is one of the values that a flag takes.
type choice struct {
	name string
	what string // "" if the name says it
}

// choices are all of them: the flag's help, its check and its completion follow.
type choices []choice

// usage is a flag's help: what it says, and the values.
func (c choices) usage(says string) string {
	var all []string
	for _, one := range c {
		if one.what == "" {
			all = append(all, one.name)
		} else {
			all = append(all, one.name+" ("+one.what+")")
		}
	}
	return says + ": " + alternatives(all)
}

// complete offers the values to the shell.
func (c choices) complete(cmd *cobra.Command, flag string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(c.names(), cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag was just defined
	}
}

// flag defines a flag that takes one of the values, with the default that it has.
func (c choices) flag(cmd *cobra.Command, value *string, flag, says string) {
	cmd.Flags().StringVar(value, flag, *value, c.usage(says))
	c.complete(cmd, flag)
}

// check holds what was given to the values.
func (c choices) check(flag, value string) error {
	if slices.Contains(c.names(), value) {
		return nil
	}
	return fmt.Errorf("--%s must be %s, not %q", flag, alternatives(c.names()), value)
}

func (c choices) names() []string {
	var all []string
	for _, one := range c {
		all = append(all, one.name)
	}
	return all
}

// alternatives is a list as a sentence has it: a, b or c.
func alternatives(all []string) string {
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " or " + all[last]
}
