package flags

import "github.com/spf13/cobra"

// Format is one value of --format, and what prints it.
type Format[Print any] struct {
	Name  string
	Usage string // what it is good for, "" if its name says so
	Print Print
}

// Formats are the values of --format, the default first.
type Formats[Print any] []Format[Print]

// Flag defines --format; usage says what is printed.
func (f Formats[Print]) Flag(cmd *cobra.Command, format *string, usage string) {
	*format = f[0].Name
	f.choices().flag(cmd, format, "format", usage)
}

// Printer finds what prints a format.
func (f Formats[Print]) Printer(format string) (Print, error) {
	for _, one := range f {
		if one.Name == format {
			return one.Print, nil
		}
	}
	var none Print
	return none, f.choices().check("format", format)
}

func (f Formats[Print]) choices() choices {
	var all choices
	for _, one := range f {
		all = append(all, choice{one.Name, one.Usage})
	}
	return all
}
