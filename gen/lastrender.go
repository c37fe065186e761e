package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// ReadRendering reads from the files of a rendered directory what they do. A
// directory without the file that holds the Plan exposes nothing.
func ReadRendering(files []File) (Rendering, error) {
	text := TextOf(files, readbackFile)
	if text == nil {
		if TextOf(files, servicesFile) != nil || TextOf(files, announceFile) != nil {
			return Rendering{}, fmt.Errorf("%s is missing, which holds the Plan", readbackFile)
		}
		return Rendering{}, nil
	}
	plan, err := readPlan(text)
	if err != nil {
		return Rendering{}, fmt.Errorf("%s: %w", readbackFile, err)
	}
	inject := InjectNone
	for _, f := range files {
		switch f.Name {
		case policyFile:
			inject = InjectAdmission
		case componentFile:
			inject = InjectPatch
		}
	}
	if plan.Readback == "" { // of version 1
		plan.Readback = readbackOf(text)
	}
	return Rendering{plan, inject}, nil
}

// readbackOf tells from the rendered objects what announces to running nodes.
func readbackOf(stream []byte) string {
	switch {
	case bytes.Contains(stream, []byte("\nkind: CronJob\n")):
		return ReadbackCronJob
	case bytes.Contains(stream, []byte("\nkind: Job\n")):
		return ReadbackJob
	}
	return ReadbackNone
}

// readPlan finds the Plan in a stream of objects.
func readPlan(stream []byte) (*schema.Plan, error) {
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
