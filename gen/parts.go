package gen

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/valkey-expose/valkey-expose/gen/objects"
	"github.com/valkey-expose/valkey-expose/schema"
)

// part is one document of the output: a rendered object, or text of the input.
type part struct {
	file  string // of a directory
	value any    // the object
	text  []byte // if value is nil
}

// objectParts are the objects of an exposed cluster, in the order of applying.
type objectParts struct {
	before, after []part // the ValkeyCluster
}

// rendered are the objects of an exposed cluster. They are rendered once.
func (r *Rendering) rendered(d *document) (*objectParts, error) {
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
	if r.way.Objects != nil {
		before(r.way.File, r.way.Objects(x)...)
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

// parts lists the documents that those of the input become. A text is that of a
// document as it stands in the output.
func (r *Rendering) parts(text func(*document) []byte) ([]part, error) {
	first := r.firstCluster()
	var all []part
	for i, d := range r.documents {
		file := clusterFile
		if i < first {
			file = firstFile
		}
		if d.err != nil {
			return nil, fmt.Errorf("%s: %w", d.Locate("spec.externalAccess"), d.err)
		}
		var around objectParts
		if d.exposed != nil {
			if d.exposed.Plan.Namespace == "" {
				return nil, fmt.Errorf("%s: %s %s has no namespace", d.Locate("metadata.namespace"), d.Kind, d.Name)
			}
			rendered, err := r.rendered(d)
			if err != nil {
				return nil, err
			}
			file, around = clusterFile, *rendered
		}
		all = append(all, around.before...)
		// Without the operator, the ValkeyCluster is the declaration and no object.
		if declared := d.Cluster != nil && r.way.Unmanaged; d.text != nil && !declared {
			all = append(all, part{file: file, text: text(d)})
		}
		all = append(all, around.after...)
	}
	return all, nil
}

// firstCluster is the index of the document before which all others are applied
// first: the first with external access, else the first ValkeyCluster; 0 if there
// is nothing before it, or it is nowhere.
func (r *Rendering) firstCluster() int {
	first := slices.IndexFunc(r.documents, func(d *document) bool { return d.exposed != nil })
	if first < 0 {
		first = slices.IndexFunc(r.documents, func(d *document) bool { return d.IsCluster() })
	}
	if first >= 0 && !slices.ContainsFunc(r.documents[:first], func(d *document) bool { return !d.Empty() }) {
		return 0 // nothing but comments, which are no file of their own
	}
	return max(first, 0)
}
