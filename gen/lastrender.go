package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/valkey-expose/valkey-expose/schema"
)

// ReadRendering reads from the files of a rendered directory what they do. A
// directory without the file that holds the Plan exposes nothing.
func ReadRendering(files []File) (Rendering, error) {
	i := slices.IndexFunc(files, func(f File) bool { return f.Name == readbackFile })
	if i < 0 {
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == servicesFile || f.Name == announceFile }) {
			return Rendering{}, fmt.Errorf("%s is missing, which holds the Plan", readbackFile)
		}
		return Rendering{}, nil
	}
	plan, err := readPlan(files[i].Text)
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
	return Rendering{plan, inject}, nil
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
	plan, err := schema.ParsePlan(text)
	var version *schema.PlanVersionError
	switch {
	case errors.As(err, &version):
		return nil, fmt.Errorf("the Plan in it is of version %d, and this program reads version %d", version.Found, schema.PlanVersion)
	case err != nil:
		return nil, fmt.Errorf("reading the Plan: %w", err)
	case plan.Cluster == "" || plan.Namespace == "" || len(plan.Nodes) == 0:
		return nil, errors.New("the Plan in it names no cluster, namespace or node")
	}
	return plan, nil
}
