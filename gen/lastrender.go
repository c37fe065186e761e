package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/gen/inject"
	"github.com/valkey-expose/valkey-expose/schema"
)

// readPlan reads the Plan from the files of a rendered directory. One without the
// file that holds it exposes nothing, and has none.
func readPlan(files []File) (*schema.Plan, error) {
	text := TextOf(files, readbackFile)
	if text == nil {
		if TextOf(files, servicesFile) != nil || TextOf(files, announceFile) != nil {
			return nil, fmt.Errorf("%s is missing, which holds the Plan", readbackFile)
		}
		return nil, nil
	}
	plan, err := planIn(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", readbackFile, err)
	}
	plan.Inject = injectOf(files, plan.Inject)
	if plan.Readback == "" { // of version 1
		plan.Readback = readbackOf(text)
	}
	return plan, nil
}

// injectOf finds the way by the file that is there: somebody may have taken it out
// of the directory. The way of the Plan is "" in version 1.
func injectOf(files []File, ofPlan string) string {
	for _, way := range inject.Ways() {
		if way.File != "" && TextOf(files, way.File) != nil && (ofPlan == "" || ofPlan == way.Name) {
			return way.Name
		}
	}
	return schema.InjectNone
}

// readbackOf finds by the rendered objects what announces to running nodes.
func readbackOf(stream []byte) string {
	switch {
	case bytes.Contains(stream, []byte("\nkind: CronJob\n")):
		return schema.ReadbackCronJob
	case bytes.Contains(stream, []byte("\nkind: Job\n")):
		return schema.ReadbackJob
	}
	return schema.ReadbackNone
}

// planIn finds the Plan in a stream of objects.
func planIn(stream []byte) (*schema.Plan, error) {
	for decoder := yaml.NewDecoder(bytes.NewReader(stream)); ; {
		var object struct {
			Kind string            `yaml:"kind"`
			Data map[string]string `yaml:"data"`
		}
		switch err := decoder.Decode(&object); {
		case errors.Is(err, io.EOF):
			return nil, errors.New("there is no Plan in it")
		case err != nil:
			return nil, err
		}
		if text, ok := object.Data[schema.PlanKey]; ok && object.Kind == "ConfigMap" {
			return parsePlan([]byte(text))
		}
	}
}

// parsePlan reads a Plan and checks what a comparison relies on.
func parsePlan(text []byte) (*schema.Plan, error) {
	plan, err := schema.ParseEarlierPlan(text)
	var version *schema.PlanVersionError
	switch {
	case errors.As(err, &version):
		return nil, fmt.Errorf("the Plan in it is of version %d, and this program reads versions 1 to %d", version.Found, schema.PlanVersion)
	case err != nil:
		return nil, fmt.Errorf("reading the Plan: %w", err)
	case plan.Cluster == "" || plan.Namespace == "" || len(plan.Nodes) == 0:
		return nil, errors.New("the Plan in it names no cluster, namespace or node")
	}
	return plan, nil
}
