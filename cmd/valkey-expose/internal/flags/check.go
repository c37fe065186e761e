package flags

import (
	"fmt"
	"regexp"
	"strings"

	imagename "github.com/distribution/reference"
	"github.com/robfig/cron/v3"
)

// matches checks a flag that may be empty.
func matches(flag, value string, pattern *regexp.Regexp, what string) error {
	if value == "" || pattern.MatchString(value) {
		return nil
	}
	return fmt.Errorf("--%s must be %s, not %q", flag, what, value)
}

// namePattern is that of most objects of Kubernetes (RFC 1123), which may have
// maxName characters.
var namePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

const maxName = 253

// checkName is for a flag that may be empty.
func checkName(flag, value, what string) error {
	if len(value) > maxName {
		return fmt.Errorf("--%s must be %s, of at most %d characters, not %d", flag, what, maxName, len(value))
	}
	return matches(flag, value, namePattern, what)
}

// checkImage is for a flag that may be empty, and checks as the kubelet does: the API server
// takes what no node could pull.
func checkImage(flag, value string) error {
	if value == "" {
		return nil
	}
	if _, err := imagename.ParseNormalizedNamed(value); err != nil {
		return fmt.Errorf("--%s must be the name of an image, not %q: %w", flag, value, err)
	}
	return nil
}

// checkSchedule checks as the API server does. It refuses time zones within a
// schedule, and the parser panics on some of them.
func checkSchedule(flag, value string) error {
	if strings.Contains(value, "TZ") {
		return fmt.Errorf("--%s %q has a time zone, which Kubernetes takes in no schedule", flag, value)
	}
	if _, err := cron.ParseStandard(value); err != nil {
		return fmt.Errorf(`--%s must be a cron schedule, such as "*/10 * * * *", not %q: %w`, flag, value, err)
	}
	return nil
}
