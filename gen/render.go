package gen

import (
	"fmt"
	"slices"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Files of a rendered directory, in the order they are applied. The ValkeyCluster
// comes after all that its pods need: the operator reacts to it within the second.
const (
	firstFile         = "first.yaml" // what the input has before the ValkeyCluster, such as its Namespace
	policyFile        = "policy.yaml"
	announceFile      = "announce.yaml"
	readbackFile      = "readback.yaml"
	servicesFile      = "services.yaml"
	routesFile        = "tcproutes.yaml"
	clusterFile       = "valkeycluster.yaml"
	jobFile           = "job.yaml"
	KustomizationFile = "kustomization.yaml"

	// kustomizeConfigFile says what kustomize must not do.
	kustomizeConfigFile = "kustomizeconfig.yaml"

	// componentFile is what other kustomizations include; it is no resource of
	// the directory's own.
	componentFile = "announce/kustomization.yaml"
)

// Files lists the files a rendered directory may hold.
func Files() []string {
	return []string{KustomizationFile, kustomizeConfigFile, firstFile, policyFile, announceFile, readbackFile, servicesFile, routesFile, clusterFile, jobFile, componentFile}
}

// part is one document of the output: a rendered object, or text of the input.
type part struct {
	file  string // of a directory
	value any    // the object
	text  []byte // if value is nil
}

// parts renders everything for a cluster, in the order of applying; text is the
// ValkeyCluster itself.
func (b *builder) parts(text []byte) ([]part, error) {
	var all []part
	put := func(file string, values ...any) {
		for _, v := range values {
			all = append(all, part{file: file, value: v})
		}
	}
	plan, err := b.planMap()
	if err != nil {
		return nil, err
	}
	reads := b.options.Readback != ReadbackNone
	if b.options.Inject == InjectAdmission {
		put(policyFile, b.policy()...)
	}
	put(announceFile, b.announce())
	if reads {
		put(announceFile, b.endpoints())
	}
	put(readbackFile, plan)
	if reads {
		put(readbackFile, b.rbac()...)
	}
	if reads && b.options.ReadbackNetworkPolicy {
		put(readbackFile, b.networkPolicy())
	}
	put(servicesFile, b.services()...)
	put(routesFile, b.routes()...)
	// Without the operator, the ValkeyCluster is the declaration and no object.
	if b.options.Inject != InjectPatch {
		all = append(all, part{file: clusterFile, text: text})
	}
	if reads {
		job, err := b.job()
		if err != nil {
			return nil, err
		}
		put(jobFile, job)
	}
	if b.options.Readback == ReadbackCronJob {
		cronJob, err := b.cronJob()
		if err != nil {
			return nil, err
		}
		put(jobFile, cronJob)
	}
	return all, nil
}

// allParts lists the documents that those of the input become.
func allParts(documents []schema.Document, o Options) ([]part, error) {
	first := slices.IndexFunc(documents, exposed)
	if first < 0 {
		first = slices.IndexFunc(documents, func(d schema.Document) bool { return d.IsCluster() })
	}
	if first >= 0 && !slices.ContainsFunc(documents[:first], func(d schema.Document) bool { return !d.Empty() }) {
		first = 0 // nothing but comments, which are no file of their own
	}
	var all []part
	for i, d := range documents {
		file := clusterFile
		if i < first {
			file = firstFile
		}
		if d.Cluster == nil {
			if d.Source != nil { // nil: inside a List that is kept whole
				all = append(all, part{file: file, text: d.Source})
			}
			continue
		}
		text, err := valkeyCluster(d, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Locate("spec.externalAccess"), err)
		}
		if !d.Cluster.Exposed() {
			if o.Inject != InjectPatch {
				all = append(all, part{file: file, text: text})
			}
			continue
		}
		parts, err := newBuilder(d.Cluster, o).parts(text)
		if err != nil {
			return nil, err
		}
		all = append(all, parts...)
	}
	return all, nil
}

// Exposed lists the documents of clusters with external access.
func Exposed(documents []schema.Document) []schema.Document {
	var all []schema.Document
	for _, d := range documents {
		if exposed(d) {
			all = append(all, d)
		}
	}
	return all
}

func exposed(d schema.Document) bool { return d.Cluster != nil && d.Cluster.Exposed() }
