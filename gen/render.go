package gen

import (
	"fmt"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Files of a rendered directory, in the order they are applied.
const (
	policyFile        = "policy.yaml"
	announceFile      = "announce.yaml"
	clusterFile       = "valkeycluster.yaml"
	servicesFile      = "services.yaml"
	routesFile        = "tcproutes.yaml"
	readbackFile      = "readback.yaml"
	KustomizationFile = "kustomization.yaml"

	// componentFile is what other kustomizations include; it is no resource of
	// the directory's own.
	componentFile = "announce/kustomization.yaml"
)

// Files lists the files a rendered directory may hold.
func Files() []string {
	return []string{KustomizationFile, policyFile, announceFile, clusterFile, servicesFile, routesFile, readbackFile, componentFile}
}

// object is one rendered object and where it belongs.
type object struct {
	value any
	file  string
}

// objects renders everything for a cluster but the ValkeyCluster itself, in the
// order of applying: before it what its pods need as they are created, after it
// what can wait.
func (b *builder) objects() (before, after []object, err error) {
	put := func(list *[]object, file string, values ...any) {
		for _, v := range values {
			*list = append(*list, object{v, file})
		}
	}
	plan, err := b.planMap()
	if err != nil {
		return nil, nil, err
	}
	if b.options.Inject == InjectAdmission {
		put(&before, policyFile, b.policy()...)
	}
	put(&before, announceFile, b.announce())
	if b.options.Readback != ReadbackNone {
		put(&before, announceFile, b.endpoints())
	}
	put(&before, readbackFile, plan)
	if b.options.Readback != ReadbackNone {
		put(&before, readbackFile, b.rbac()...)
	}

	put(&after, servicesFile, b.services()...)
	put(&after, routesFile, b.routes()...)
	if b.options.Readback != ReadbackNone {
		job, err := b.job()
		if err != nil {
			return nil, nil, err
		}
		put(&after, readbackFile, job)
	}
	if b.options.Readback == ReadbackCronJob {
		put(&after, readbackFile, b.cronJob())
	}
	return before, after, nil
}

// part is one document of the output: a rendered object, or text.
type part struct {
	text   []byte // if object is nil
	object *object
}

// parts lists the documents that one document of the input becomes.
func parts(d schema.Document, o Options) ([]part, error) {
	if d.Cluster == nil {
		if d.Source == nil {
			return nil, nil // inside a List that is kept whole
		}
		return []part{{text: d.Source}}, nil
	}
	text, err := valkeyCluster(d, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Locate("spec.externalAccess"), err)
	}
	if !d.Cluster.Exposed() {
		if o.Inject == InjectPatch {
			return nil, nil
		}
		return []part{{text: text}}, nil
	}
	before, after, err := newBuilder(d.Cluster, o).objects()
	if err != nil {
		return nil, err
	}
	all := make([]part, 0, len(before)+1+len(after))
	for i := range before {
		all = append(all, part{object: &before[i]})
	}
	// Without the operator, the ValkeyCluster is the declaration and no object.
	if o.Inject != InjectPatch {
		all = append(all, part{text: text})
	}
	for i := range after {
		all = append(all, part{object: &after[i]})
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
