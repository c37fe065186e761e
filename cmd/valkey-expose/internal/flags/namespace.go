package flags

import (
	"regexp"

	"github.com/spf13/cobra"
)

// namespacePattern is a DNS label (RFC 1123).
var namespacePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Namespace is -n.
func Namespace(cmd *cobra.Command, namespace *string) {
	cmd.Flags().StringVarP(namespace, "namespace", "n", "", "namespace of clusters whose document has none")
}

// CheckNamespace checks the value of -n, which may be empty.
func CheckNamespace(namespace string) error {
	return matches("namespace", namespace, namespacePattern, "a DNS label of at most 63 characters")
}
