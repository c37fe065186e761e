package readback

import (
	"errors"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/valkey-expose/valkey-expose/schema"
)

func TestPlanInForce(t *testing.T) {
	with := func(job, plan string) *corev1.ConfigMap {
		return &corev1.ConfigMap{Data: map[string]string{schema.JobKey: job, schema.PlanKey: plan}}
	}
	for name, c := range map[string]struct {
		job   string
		found *corev1.ConfigMap
		want  string // "": in force
	}{
		"ours":                        {"a", with("a", "plan"), ""},
		"its Job is gone":             {"a", with("gone", "plan"), ""},
		"gone, and another Plan":      {"a", with("gone", "other"), "another Plan"},
		"another Job, the same Plan":  {"a", with("b", "plan"), `carried out by Job "b"`},
		"another Plan":                {"a", with("b", "other"), "another Plan"},
		"turned off":                  {"a", nil, "is gone"},
		"by a CronJob":                {"", with("b", "plan"), ""},
		"by a CronJob, another Plan":  {"", with("b", "other"), "another Plan"},
		"our name, and another Plan":  {"a", with("a", "other"), "another Plan"},
		"without read-back, a Job is": {"a", with("", "plan"), `carried out by Job ""`},
	} {
		err := inForce(&Options{Plan: &schema.Plan{Cluster: "c"}, PlanText: "plan", Job: c.job}, c.found,
			func(job string) bool { return job != "gone" })
		var superseded *SupersededError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &superseded) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestOtherJobsAreWaitedFor(t *testing.T) {
	job := func(uid types.UID, change func(*batchv1.Job)) *batchv1.Job {
		j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "job-" + string(uid), UID: uid}}
		if change != nil {
			change(j)
		}
		return j
	}
	done := func(j *batchv1.Job) {
		j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
	}
	going := func(j *batchv1.Job) { j.DeletionTimestamp = &metav1.Time{} }
	active := func(j *batchv1.Job) { going(j); j.Status.Active = 1 }
	stopping := func(j *batchv1.Job) { going(j); j.Status.Terminating = new(int32(1)) }
	others := []*batchv1.Job{job("1", nil)}
	for name, c := range map[string]struct {
		now  []*batchv1.Job
		wait bool
	}{
		"gone":                          {nil, false},
		"made anew under its name":      {[]*batchv1.Job{job("2", nil)}, false},
		"running":                       {[]*batchv1.Job{job("1", nil)}, true},
		"its pod is not known yet":      {[]*batchv1.Job{job("1", active)}, true},
		"its pod stops":                 {[]*batchv1.Job{job("1", stopping)}, true},
		"its pod is gone":               {[]*batchv1.Job{job("1", going)}, false},
		"done, and held by a finalizer": {[]*batchv1.Job{job("1", done)}, false},
	} {
		if got := mayWrite(c.now, others); (len(got) > 0) != c.wait {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The Job in force was being deleted when its Plan came back.
func TestOneJobStandsInForAnother(t *testing.T) {
	job := func(name string) *batchv1.Job { return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name}} }
	going, failed := job("j"), job("a")
	going.DeletionTimestamp = &metav1.Time{}
	failed.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}}
	for name, c := range map[string]struct {
		jobs []*batchv1.Job
		want bool // by another than b
	}{
		"it is there":                  {[]*batchv1.Job{job("b"), job("j")}, true},
		"it is gone":                   {[]*batchv1.Job{job("b")}, false},
		"it is being deleted":          {[]*batchv1.Job{job("b"), going}, false},
		"one before us by name can":    {[]*batchv1.Job{job("a"), job("b")}, true},
		"one behind us by name can":    {[]*batchv1.Job{job("b"), job("c")}, false},
		"the one before us has failed": {[]*batchv1.Job{failed, job("b")}, false},
	} {
		if got := carriedOut(c.jobs, "j", "b"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestRenamedJobIsRefused(t *testing.T) {
	plan := &schema.Plan{Cluster: "orders"}
	for name, ok := range map[string]bool{
		"valkey-orders-readback-abcde": true, "pre-valkey-orders-readback-abcde": false,
		"valkey-orders-readback-abcde-post": false, "valkey-other-readback-abcde": false,
	} {
		if err := CheckJob(name, plan); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
