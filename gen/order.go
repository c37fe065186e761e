package gen

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/gen/objects"
	"github.com/valkey-expose/valkey-expose/schema"
)

// render gives the objects of an exposed cluster. They are rendered once.
func (d *document) render(way inject.Way) (*objectParts, error) {
	if d.objects != nil {
		return d.objects, nil
	}
	x, all := d.exposed, new(objectParts)
	before := func(file string, values ...any) { all.before = appendParts(all.before, file, values) }
	after := func(file string, values ...any) { all.after = appendParts(all.after, file, values) }

	var job *batchv1.Job
	jobName := ""
	if x.ReadsBack() {
		var err error
		if job, err = objects.Job(x); err != nil {
			return nil, err
		}
		jobName = job.Name
	}
	if way.Objects != nil {
		before(way.File, way.Objects(x)...)
	}
	before(announceFile, d.announced())
	if job != nil {
		before(announceFile, objects.Endpoints(x))
	}
	before(readbackFile, objects.PlanMap(x, jobName))
	if job != nil {
		before(readbackFile, objects.RBAC(x)...)
	}
	if job != nil && x.Options.ReadbackNetworkPolicy {
		before(readbackFile, objects.NetworkPolicy(x))
	}
	before(servicesFile, objects.Services(x)...)
	before(servicesFile, objects.InsideServices(x)...)
	before(routesFile, objects.Routes(x)...)
	if job != nil {
		after(jobFile, job)
	}
	if x.Plan.Readback == schema.ReadbackCronJob {
		cronJob, err := objects.CronJob(x)
		if err != nil {
			return nil, err
		}
		after(jobFile, cronJob)
	}
	d.objects = all
	return all, nil
}

func appendParts(all []part, file string, values []any) []part {
	for _, v := range values {
		all = append(all, part{file: file, value: v})
	}
	return all
}

// announced is the ConfigMap whose size is checked before all else is rendered.
func (d *document) announced() *corev1.ConfigMap {
	if d.announce == nil {
		d.announce = objects.Announce(d.exposed)
	}
	return d.announce
}
