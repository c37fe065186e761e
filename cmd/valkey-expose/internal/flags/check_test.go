package flags

import (
	"strconv"
	"strings"
	"testing"

	"github.com/valkey-expose/valkey-expose/gen"
)

// TestFlagValues holds what is taken from flags to what Kubernetes takes.
func TestFlagValues(t *testing.T) {
	for flag, test := range map[string]struct {
		check          func(flag, value string) error
		accept, reject []string
	}{
		"readback-image": {checkImage, []string{
			"", "i", "registry.example.com:5000/a/b:v1", "a@sha256:" + strings.Repeat("0", 64), "[2001:db8::1]:5000/a:b", "a__b/c--d:" + strings.Repeat("t", 128),
		}, []string{
			"http://reg/x", "a:b:c:d", "a ${b}", " a", "a:", "a@sha256:12", "a:" + strings.Repeat("t", 129), "A", "a/../b", "a\n", strings.Repeat("0", 64), "docker.io/" + strings.Repeat("a", 256),
		}},
		"readback-schedule": {checkSchedule, []string{
			"*/10 * * * *", "@hourly", "@midnight", "@every 1h30m", "0 0 1 jan-mar ?", " 5  4 * * SUN,6 ", "59 23 31 12 6",
		}, []string{
			"", "99 99 99 99 99", "@every 1zz", "@reboot", "5m", "* * * *", "* * * * * *", "60 * * * *", "0 24 * * *", "0 0 0 * *", "0 0 * 13 *", "0 0 * * 8",
			"5-1 * * * *", "*/0 * * * *", "a * * * *", "TZ=UTC 0 0 * * *", "CRON_TZ=UTC 0 0 * * *", "TZ=0", "@every",
		}},
		"readback-pull-secret": {func(flag, value string) error { return checkName(flag, value, "the name of a Secret") }, []string{
			"", "a", "a.b-c", strings.Repeat("a", 253),
		}, []string{
			"_", "A", "a..b", "a.", "-a", strings.Repeat("a", 254), "a b", "a\n",
		}},
		"workload-name": {checkWorkloadName, []string{
			gen.Defaults().WorkloadName, "{shard}-{node}", "{node}.{shard}", "s{shard}n{node}", "{shard}0-1{node}", "{shard}{node}-{shard}", "{shard}-{shard}{node}", "{cluster}{shard}-{node}",
		}, []string{
			"", "{shard}", "{node}-{cluster}", "{shard}{node}", "{shard}0{node}", "x{shard}{cluster}{node}", "{shard}{node}-{node}{shard}", "{shard}{node}x{shard}{node}",
			"{Shard}-{node}", "{shard}-{node}-", "{shard}-{node}" + strings.Repeat("a", 253), "S{shard}-{node}", "N-{shard}{node}",
		}},
	} {
		for _, value := range test.accept {
			if err := test.check(flag, value); err != nil {
				t.Errorf("%q: %v", value, err)
			}
		}
		for _, value := range test.reject {
			if err := test.check(flag, value); err == nil || !strings.HasPrefix(err.Error(), "--"+flag) {
				t.Errorf("%q: %v", value, err)
			}
		}
	}
}

// TestWorkloadNamesAreDifferent fills in every accepted form of a name for many
// nodes: no two are alike, where a form of the same pieces that is refused has two.
func TestWorkloadNamesAreDifferent(t *testing.T) {
	pieces := []string{"{shard}", "{node}", "-", "1", "{cluster}"}
	shards, nodes := []int{0, 1, 2, 11, 12, 110, 111, 112}, []int{0, 1, 2, 10, 11, 12, 111}
	verdicts := map[bool]int{}
	for n := range 5 * 5 * 5 * 5 * 5 {
		var form string
		for range 5 {
			form += pieces[n%5]
			n /= 5
		}
		accepted := checkWorkloadName("workload-name", form) == nil
		names := map[string]bool{}
		for _, shard := range shards {
			for _, node := range nodes {
				names[strings.NewReplacer("{cluster}", "1", "{shard}", strconv.Itoa(shard), "{node}", strconv.Itoa(node)).Replace(form)] = true
			}
		}
		if accepted && len(names) < len(shards)*len(nodes) {
			t.Errorf("%s: %d names for %d nodes", form, len(names), len(shards)*len(nodes))
		}
		verdicts[accepted]++
	}
	if verdicts[true] < 100 {
		t.Errorf("%d accepted, %d refused", verdicts[true], verdicts[false])
	}
}
