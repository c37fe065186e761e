package flags

import (
	"fmt"
	"strings"
)

// checkWorkloadName checks that no two nodes of a cluster have one name. What is not
// a digit cuts all names alike, into runs of digits: a run with the shard or the
// node alone gives that one away, and with it known, any other run the other.
func checkWorkloadName(flag, value string) error {
	for _, p := range []string{"{shard}", "{node}"} {
		if !strings.Contains(value, p) {
			return fmt.Errorf("--%s must have %s in it, or two nodes would have one name", flag, p)
		}
	}
	name := strings.NewReplacer("{cluster}", "0", "{shard}", "0", "{node}", "0").Replace(value)
	if err := checkName(flag, name, "the name of an object, with {cluster}, {shard} and {node} in it"); err != nil {
		return err
	}
	// A cluster's name may be of digits; letters in upper case are in no name.
	marked := strings.NewReplacer("{cluster}", "0", "{shard}", "S", "{node}", "N").Replace(value)
	for _, run := range strings.FieldsFunc(marked, func(r rune) bool { return !strings.ContainsRune("0123456789SN", r) }) {
		if strings.Contains(run, "S") != strings.Contains(run, "N") {
			return nil
		}
	}
	return fmt.Errorf("--%s must have more than digits between {shard} and {node}, or two nodes could have one name, as 1 and 11, and 11 and 1", flag)
}
