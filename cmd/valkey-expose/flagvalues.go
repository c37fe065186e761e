package main

import (
	"fmt"
	"regexp"
	"strings"

	imagename "github.com/distribution/reference"
	"github.com/robfig/cron/v3"
)

// namePattern is that of most objects of Kubernetes (RFC 1123), which may have
// maxName characters.
var namePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

const maxName = 253

// isName checks a flag that may be empty.
func isName(flag, value, what string) error {
	if len(value) > maxName {
		return fmt.Errorf("--%s must be %s, and %d characters are more than the %d of one", flag, what, len(value), maxName)
	}
	return matches(flag, value, namePattern, what)
}

// isImage checks a flag that may be empty, as the kubelet does: the API server
// takes what no node could pull.
func isImage(flag, value string) error {
	if value == "" {
		return nil
	}
	if _, err := imagename.ParseNormalizedNamed(value); err != nil {
		return fmt.Errorf("--%s must be the name of an image, not %q: %w", flag, value, err)
	}
	return nil
}

// isSchedule checks as the API server does. It refuses time zones within a
// schedule, and the parser panics on some of them.
func isSchedule(flag, value string) error {
	if strings.Contains(value, "TZ") {
		return fmt.Errorf("--%s %q has a time zone, which Kubernetes takes in no schedule", flag, value)
	}
	if _, err := cron.ParseStandard(value); err != nil {
		return fmt.Errorf(`--%s must be a cron schedule, such as "*/10 * * * *", not %q: %w`, flag, value, err)
	}
	return nil
}

// isWorkloadName checks that no two nodes of a cluster have one name. What is no
// digit cuts all names alike, into runs of digits: a run with the shard or the
// node alone tells it, and with it known, any other run tells the other.
func isWorkloadName(flag, value string) error {
	for _, p := range []string{"{shard}", "{node}"} {
		if !strings.Contains(value, p) {
			return fmt.Errorf("--%s must have %s in it, or two nodes would have one name", flag, p)
		}
	}
	name := strings.NewReplacer("{cluster}", "0", "{shard}", "0", "{node}", "0").Replace(value)
	if err := isName(flag, name, "the name of an object, with {cluster}, {shard} and {node} in it"); err != nil {
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
